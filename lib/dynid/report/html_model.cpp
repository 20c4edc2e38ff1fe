#include "dynid/report/html_model.h"

#include "dynid/model/column_place.h"
#include "dynid/report/html_page.h"
#include "dynid/report/many_logs.h"
#include "dynid/report/markup.h"
#include "dynid/report/model_tables.h"
#include "dynid/report/numbers.h"
#include "dynid/report/plot.h"
#include "dynid/report/verdict_cell.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace dynid {
namespace {

std::string linkVerdicts(const Model& model, int body) {
  std::string cells;
  for (size_t c = 0; c < 10; ++c)
    cells += verdictCell(std::string(kInertialNames[c]), model.verdicts[10 * body + c]);
  return cells;
}

/// Heads of the columns that addInertialCells fills.
const std::vector<std::string> kInertialHeads = {
    "mass [kg]", "com x [m]", "y", "z", "Ixx [kg m²] about com", "Iyy", "Izz"};

void addInertialCells(const InertialParameters& pi, HtmlTable& table) {
  const CenterOfMassInertia body = centerOfMassInertia(pi);
  table.number(shown(body.mass));
  for (int i = 0; i < 3; ++i) table.number(shown(body.com(i), 3));
  for (int i = 0; i < 3; ++i) table.number(shown(body.inertia_about_com(i, i), 3));
}

std::string payloadTable(const Model& model) {
  if (model.payloads.empty()) return "";
  std::vector<std::string> head = {"payload", "link"};
  head.insert(head.end(), kInertialHeads.begin(), kInertialHeads.end());
  HtmlTable table(head);
  for (const PayloadModel& payload : model.payloads) {
    table.beginRow();
    table.text(payload.name);
    table.text(payload.link);
    addInertialCells(payload.parameters, table);
    table.endRow();
  }
  return "<h3>Payloads</h3>\n" + table.markup();
}

std::string gainTable(const Model& model) {
  if (model.drive_gain_std_dev.size() != model.drive_gains.size()) return "";
  HtmlTable table({"drive", "gain", "std. dev.", "unit"});
  for (Eigen::Index a = 0; a < model.drive_gains.size(); ++a) {
    table.beginRow();
    table.text(model.robot->drives[a].name);
    table.number(shown(model.drive_gains(a)));
    table.number(shown(model.drive_gain_std_dev(a), 2));
    table.text(model.driveGainUnit(static_cast<int>(a)));
    table.endRow();
  }
  return "<h3>Drive gains from these logs</h3>\n" + table.markup();
}

std::string definition(const std::string& term, const std::string& text) {
  return textElement("dt", {}, term) + textElement("dd", {}, text) + "\n";
}

std::string boundsTable(const PhysicalFitResult& fit) {
  if (fit.bounds.empty()) return "";
  HtmlTable table({"bound", "value", "limit", "", "multiplier"});
  for (const BoundReport& bound : fit.bounds) {
    table.beginRow();
    table.text(bound.name);
    table.number(shown(bound.value));
    table.number(shown(bound.limit));
    table.cell(bound.active ? badge("open", "active") : "");
    table.number(shown(bound.multiplier, 3));
    table.endRow();
  }
  return "<h3>Bounds</h3>\n" + table.markup();
}

}  // namespace

std::string baseParameterSection(const Model& model) {
  if (model.base_parameters.empty()) return "";
  HtmlTable table(
      {"base parameter", "value", "std. dev.", "relative", "95 % interval", "", "unit"});
  for (const BaseParameterEstimate& p : model.base_parameters) {
    const double farthest =
        std::max({std::abs(p.lower_95), std::abs(p.upper_95), std::abs(p.value)});
    const double limit =
        std::isfinite(farthest) ? farthest : std::max(2.0 * std::abs(p.value), 1.0);
    table.beginRow();
    table.cell(
        textElement("code", {{"title", p.expression}}, p.name) +
            (p.expression == p.name ? ""
                                    : textElement("div", {{"class", "sub mono"}}, p.expression)),
        "wide");
    table.number(shown(p.value));
    table.number(shown(p.std_dev, 2));
    table.number(shownPercent(p.relativeStdDev()));
    table.number("[" + shown(p.lower_95) + ", " + shown(p.upper_95) + "]");
    table.cell(intervalSvg(p.value, p.lower_95, p.upper_95, limit));
    table.text(p.unit);
    table.endRow();
  }
  return htmlSection("Base parameters",
                     paragraph("What joint torques determine: each independent parameter with "
                               "its combination. Values are those that the model "
                               "uses. Intervals account for correlated residuals and repeated "
                               "motion; they state how well another log would repeat the value, "
                               "not whether the form of the model is right. The "
                               "line in each row is zero.",
                               "sub") +
                         table.markup());
}

std::string linkSection(const Model& model) {
  std::vector<std::string> head = {"link"};
  head.insert(head.end(), kInertialHeads.begin(), kInertialHeads.end());
  head.emplace_back("smallest eigenvalue");
  if (!model.prior_source.empty()) head.emplace_back("prior");
  if (!model.verdicts.empty()) head.emplace_back("m  mx my mz  Ixx Ixy Ixz Iyy Iyz Izz");
  HtmlTable table(head);
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    if (model.robot->bodies[k].massless) continue;
    table.beginRow();
    table.text(model.robot->bodies[k].name);
    addInertialCells(model.body(k), table);
    table.number(shown(smallestPseudoEigenvalue(model.body(k)), 2));
    if (!model.prior_source.empty()) table.text(model.prior_source[k]);
    if (!model.verdicts.empty()) table.cell(linkVerdicts(model, k), "cells");
    table.endRow();
  }
  std::string legend;
  if (!model.verdicts.empty())
    legend = "<p class=\"legend\">" +
             verdictCell("legend", {Identifiability::kAlone, Excitation::kWell, ""}) +
             " identifiable alone, well excited &#160; " +
             verdictCell("legend", {Identifiability::kCombination, Excitation::kWell, ""}) +
             " only in a combination &#160; " +
             verdictCell("legend", {Identifiability::kCombination, Excitation::kBadly, ""}) +
             " badly excited by these logs &#160; " +
             verdictCell("legend", {Identifiability::kNone, Excitation::kNone, ""}) +
             " not identifiable from joint torque: the value comes from the prior</p>\n";
  return htmlSection("Links", table.markup() + legend);
}

std::string effectSection(const Model& model) {
  const Robot& robot = *model.robot;
  std::vector<std::string> keys;
  std::map<std::string, std::map<std::string, int>> columns;  // owner -> key -> column
  std::vector<std::string> owners;
  for (int i = 10 * robot.numBodies(); i < model.layout.size(); ++i) {
    if (model.layout[i].kind == ColumnKind::kPayload) continue;
    const ColumnPlace place = columnPlace(robot, model.layout[i]);
    if (std::find(keys.begin(), keys.end(), place.key) == keys.end()) keys.push_back(place.key);
    if (columns.find(place.owner) == columns.end()) owners.push_back(place.owner);
    columns[place.owner].emplace(place.key, i);
  }
  if (owners.empty()) return htmlSection("Payloads", payloadTable(model));
  std::vector<std::string> head = {"joint or actuator"};
  head.insert(head.end(), keys.begin(), keys.end());
  HtmlTable table(head);
  for (const std::string& owner : owners) {
    table.beginRow();
    table.text(owner);
    for (const std::string& key : keys) {
      const auto found = columns[owner].find(key);
      if (found == columns[owner].end()) {
        table.number("");
        continue;
      }
      const Column& column = model.layout[found->second];
      std::string title = column.name + " [" + column.unit + "]";
      std::string text = escaped(shown(model.parameters(found->second)));
      if (column.shape != 0.0) title += ", at " + shown(column.shape);
      if (column.presliding != 0.0) {
        title += ", presliding distance " + shown(column.presliding);
        text += textElement("div", {{"class", "sub"}}, "presliding " + shown(column.presliding, 2));
      }
      table.cell(element("span", {{"title", title}}, text), "num");
    }
    table.endRow();
  }
  return htmlSection("Friction and drives",
                     paragraph("SI units: viscous in N m s/rad, Coulomb, offset and the like in N "
                               "m, drive inertia in kg m² on "
                               "the joint side (N and m for prismatic joints); load is a ratio.",
                               "sub") +
                         table.markup() + gainTable(model) + payloadTable(model));
}

std::string fitSection(const Model& model) {
  const FitSummary& fit = model.fit;
  if (fit.per_joint.empty()) return "";
  HtmlTable table({"joint",
                   "samples",
                   "RMSE",
                   "unit",
                   "relative error",
                   "cross-validated R²",
                   "noise (weight)"});
  for (size_t j = 0; j < fit.per_joint.size(); ++j) {
    table.beginRow();
    table.text(channelName(model, static_cast<int>(j)));
    table.number(shownCount(fit.per_joint[j].samples));
    table.number(shown(fit.per_joint[j].rmse, 3));
    table.text(channelUnit(model, static_cast<int>(j)));
    table.number(shownPercent(fit.per_joint[j].relative_error));
    table.number(shown(fit.per_joint[j].cross_validated_r2, 3));
    table.number(shown(fit.per_joint[j].sigma, 3));
    table.endRow();
  }
  return htmlSection("Fit to the training logs",
                     paragraph("Relative error " + shownPercent(fit.relative_error) + " over " +
                               shownCount(fit.samples) + " samples (" + shownCount(fit.rows) +
                               " rows), condition number " + shown(fit.condition_number, 3) + ".") +
                         table.markup() +
                         (fit.per_sensor.empty() ? "" : tableOfNumbers(sensorRows(model))));
}

std::string certificateSection(const Model& model) {
  const PhysicalFitResult& fit = model.consistency;
  if (fit.x.size() == 0 && fit.reason.empty()) return "";
  const std::string status = !fit.feasible   ? badge("bad", "failed")
                             : fit.converged ? badge("good", "globally optimal")
                                             : badge("bad", "not converged");
  std::string list = "<dl>\n" + element("dt", {}, "status") + element("dd", {}, status) + "\n";
  if (!fit.reason.empty()) list += definition("remark", fit.reason);
  list += definition("certified relative gap", shown(fit.relative_duality_gap, 3));
  list += definition("objective at the optimum", shown(fit.objective_optimal, 8));
  list +=
      definition("least squares without constraints", shown(model.fit.objective_unconstrained, 8));
  list += definition("smallest pseudo-inertia eigenvalue", shown(fit.min_eigenvalue, 3));
  list += definition("margin, and its cost at most",
                     shown(fit.margin, 3) + ", " + shown(fit.margin_cost, 3));
  list +=
      definition("second stage: cost of moving towards the prior", shown(fit.second_stage_cost, 3));
  list += definition("prior scaled by", shown(fit.prior_scale));
  list += definition("steps, time",
                     fmt::format("{} ({} by the fallback), {} ms",
                                 fit.iterations,
                                 fit.fallback_steps,
                                 shown(1e3 * fit.seconds, 3)));
  list += definition("certificate",
                     model.has_certificate
                         ? "stored in the model with full precision; validate recomputes it"
                         : "left out: not verifiable");
  return htmlSection("Physically consistent fit", list + "</dl>\n" + boundsTable(fit));
}

std::string provenanceSection(const Model& model) {
  const Provenance& provenance = model.provenance;
  std::string list =
      "<dl>\n" + definition("dynid", provenance.dynid_version) +
      definition("command", provenance.command) + definition("robot", model.robot->name) +
      definition("robot SHA-256", model.robot->sha256) + definition("equations", model.equations) +
      definition("signals",
                 fmt::format("low-pass {} Hz of order {}, still below {} rad/s or m/s",
                             shown(model.signals.cutoff_hz),
                             model.signals.filter_order,
                             shown(model.signals.still_speed)));
  for (const auto& [name, value] : provenance.settings)
    if (name != "equations") list += definition(name, value);  // listed above
  list += "</dl>\n";
  std::string logs;
  for (const LogRecord& log : shownLogs(provenance.logs)) {
    logs += "<h3>" + escaped(log.file) + "</h3>\n" +
            paragraph(shownCount(log.samples) + " samples read, " + shownCount(log.used) +
                      " used, " + shownCount(log.dropped) + " dropped.") +
            htmlList(log.notes);
    logs += provenance.logs.size() > kFewLogs
                ? paragraph("Each with its SHA-256 in the model file.", "sub")
                : element("p", {{"class", "sub mono"}}, "SHA-256 " + escaped(log.sha256)) + "\n";
  }
  return htmlSection("Provenance", list + logs);
}

}  // namespace dynid
