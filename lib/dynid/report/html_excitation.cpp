#include "dynid/report/html_excitation.h"

#include "dynid/excitation/space.h"
#include "dynid/excitation/trajectory_text.h"
#include "dynid/report/html_page.h"
#include "dynid/report/markup.h"
#include "dynid/report/numbers.h"
#include "dynid/report/plot.h"
#include "dynid/report/verdict_cell.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr Eigen::Index kMostPoints = 1000;  // per curve; more could not be distinguished

std::string curve(const TrajectoryFile& file,
                  const Eigen::VectorXd& values,
                  double lower,
                  double upper,
                  const std::string& label,
                  const std::string& description) {
  const Eigen::Index step = std::max<Eigen::Index>(1, file.time.size() / kMostPoints);
  const Eigen::Index count = (file.time.size() - 1) / step + 1;
  LinePlot plot;
  plot.x.resize(count);
  Eigen::VectorXd y(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    plot.x(i) = file.time(i * step);
    y(i) = values(i * step);
  }
  plot.lines = {{Eigen::VectorXd::Constant(count, lower), "residual"},
                {Eigen::VectorXd::Constant(count, upper), "residual"},
                {y, "predicted"}};
  plot.x_label = "time [s]";
  plot.y_label = label;
  plot.description = description;
  return lineSvg(plot);
}

std::string jointCurves(const Robot& robot, const ExcitationDesign& e, Eigen::Index j) {
  const Joint& joint = robot.joints[j];
  const std::string unit = joint.prismatic ? "m" : "rad";
  const TrajectoryFile& file = e.trajectory;
  const auto one = [&](const Eigen::MatrixXd& values,
                       double lower,
                       double upper,
                       const std::string& what,
                       const std::string& per) {
    return curve(file,
                 values.col(j),
                 lower,
                 upper,
                 what + " [" + unit + per + "]",
                 what + " of " + joint.name + " between its limits");
  };
  return textElement("h3", {}, joint.name) + "\n" +
         one(file.position, e.limits.lower(j), e.limits.upper(j), "position", "") +
         one(file.velocity, -e.limits.velocity(j), e.limits.velocity(j), "velocity", "/s") +
         one(file.acceleration,
             -e.limits.acceleration(j),
             e.limits.acceleration(j),
             "acceleration",
             "/s²");
}

std::string limitsTable(const Robot& robot, const ExcitationDesign& e) {
  HtmlTable table({"joint",
                   "lowest",
                   "limit",
                   "highest",
                   "limit",
                   "velocity",
                   "limit",
                   "acceleration",
                   "limit",
                   "effort",
                   "limit"});
  const auto pair = [&](double value, double limit) {
    table.number(shown(value));
    table.number(std::isfinite(limit) ? shown(limit) : "none");
  };
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
    table.beginRow();
    table.text(robot.joints[j].name);
    pair(e.peaks.lower(j), e.limits.lower(j));
    pair(e.peaks.upper(j), e.limits.upper(j));
    pair(e.peaks.velocity(j), e.limits.velocity(j));
    pair(e.peaks.acceleration(j), e.limits.acceleration(j));
    if (e.effort(j) > 0.0) {
      pair(e.effort(j), e.limits.effort(j));
    } else {
      table.text("unknown");
      table.text("none");
    }
    table.endRow();
  }
  return table.markup();
}

std::string forecastTable(const ExcitationDesign& e) {
  const auto std_dev_text = [](double std_dev) {
    return std::isfinite(std_dev) ? shown(std_dev) : std::string("not determined");
  };
  const bool before = std::isfinite(e.condition_number_with_statistics);
  std::vector<std::string> heads = {"parameter", "standard deviation", "unit", "stands for"};
  if (before) heads.insert(heads.begin() + 1, "so far");
  HtmlTable table(heads);
  for (const ParameterForecast& p : e.forecast) {
    table.beginRow();
    table.text(p.name);
    if (before) table.number(std_dev_text(p.std_dev_before));
    table.number(std_dev_text(p.std_dev));
    table.text(p.unit);
    table.text(p.expression);
    table.endRow();
  }
  return table.markup();
}

std::string verdictsTable(const Robot& robot, const ExcitationDesign& e) {
  HtmlTable table({"link", "m  mx my mz  Ixx Ixy Ixz Iyy Iyz Izz"});
  std::string cells;
  for (int c = 0; c < e.layout.size(); ++c) {
    const Column& column = e.layout[c];
    const bool inertial = column.kind == ColumnKind::kInertial;
    if (!inertial && column.kind != ColumnKind::kPayload) continue;
    const bool judged = e.verdicts.judged[c];
    cells += verdictCell(
        std::string(kInertialNames[column.component]) + (judged ? "" : ", no known value"),
        e.verdicts.verdicts[c]);
    if (column.component != 9) continue;
    table.beginRow();
    table.text(inertial ? robot.bodies[column.owner].name : "payload");
    table.cell(cells);
    table.endRow();
    cells.clear();
  }
  return paragraph(
             "A: alone, C: only in a combination, –: not at all. The background shows how well: "
             "the "
             "predicted standard deviation relative to the expected value.",
             "sub") +
         table.markup();
}

}  // namespace

std::string excitationPage(const Robot& robot, const ExcitationDesign& e) {
  const TrajectoryFile& file = e.trajectory;
  std::string body;
  if (e.poor())
    body += "<p>" + badge("bad", "poor motion") + "</p>\n" + paragraph(poorMotionText(e));
  body += "<div class=\"tiles\">" + tile("condition number", shown(e.condition_number)) +
          (std::isfinite(e.condition_number_with_statistics)
               ? tile("with the statistics", shown(e.condition_number_with_statistics))
               : "") +
          tile("log det per sample", shown(e.log_det_per_sample)) +
          tile("parameters", std::to_string(e.forecast.size())) +
          tile("duration [s]", shown(file.time(file.time.size() - 1))) + "</div>\n";
  std::string curves;
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) curves += jointCurves(robot, e, j);
  body += htmlSection("Maxima, bounds at every time, beside their limits", limitsTable(robot, e));
  if (e.space)
    body += htmlSection("Space",
                        paragraph("Closest approach " + shown(e.approach.gap) + " m, between " +
                                  e.space->name(e.approach.which) + " at " +
                                  shown(e.approach.time_s) + " s; at least the clearance " +
                                  shown(e.space->clearance()) + " m at every time."));
  body += htmlSection("Forecast for the given noise", forecastTable(e));
  body += htmlSection("Expected verdicts", verdictsTable(robot, e));
  body += htmlSection("Curves between their limits", curves);
  body += htmlSection("Assumed", htmlList(e.notes));
  return htmlPage("Excitation of " + robot.name, body);
}

}  // namespace dynid
