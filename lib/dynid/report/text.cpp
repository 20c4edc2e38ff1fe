#include "dynid/report/text.h"

#include "dynid/core/few_words.h"
#include "dynid/core/text.h"
#include "dynid/model/assumption_clause.h"
#include "dynid/report/budget.h"
#include "dynid/report/grouped_findings.h"
#include "dynid/report/many_logs.h"
#include "dynid/report/model_tables.h"
#include "dynid/report/numbers.h"
#include "dynid/validation/joint_verdicts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

std::string outcomeText(Check::Outcome outcome) {
  switch (outcome) {
    case Check::Outcome::kPassed:
      return "passed";
    case Check::Outcome::kFailed:
      return "FAILED";
    case Check::Outcome::kNoticed:
      return "noticed";
    case Check::Outcome::kNotVerifiable:
      return "not verifiable";
  }
  return "";
}

// How many samples were used, and why the others were not.
std::string usedText(const LogRecord& log, double cutoff_hz) {
  const double every = log.used > 0.0 ? (log.samples - log.dropped) / log.used : 1.0;
  if (!(every > 1.5) || !(cutoff_hz > 0.0)) return fmt::format("{} used", shownCount(log.used));
  return fmt::format(
      "{} used (about one in {:.0f}: the low-pass of {} Hz leaves nothing new in those between)",
      shownCount(log.used),
      every,
      shown(cutoff_hz, 3));
}

std::string logsText(const Model& model) {
  std::string text = "Logs\n";
  for (const LogRecord& log : shownLogs(model.provenance.logs)) {
    text += wrappedText(fmt::format("{}: {} samples read, {}, {} dropped",
                                    log.file,
                                    shownCount(log.samples),
                                    usedText(log, model.signals.cutoff_hz),
                                    shownCount(log.dropped)));
    for (const std::string& note : log.notes) text += wrappedText("- " + note, 4);
  }
  return text;
}

std::string fitText(const Model& model) {
  const FitSummary& fit = model.fit;
  std::string text;
  if (std::isfinite(fit.cross_validated_error))
    text = wrappedText(
        fmt::format(
            "Error on these logs: {} of the unfiltered effort, all samples, cross-validated; noise "
            "floor {} (the part of it above {} Hz). In the fit the error is {} of the filtered "
            "effort while moving.",
            shownPercent(fit.cross_validated_error),
            shownPercent(fit.noise_floor),
            shown(model.signals.cutoff_hz, 3),
            shownPercent(fit.relative_error)),
        0);
  else
    text = fmt::format("Fit: relative error {} of the filtered effort while moving\n",
                       shownPercent(fit.relative_error));
  text += fmt::format("{} samples, {} rows, condition number {}\n",
                      shownCount(fit.samples),
                      shownCount(fit.rows),
                      shown(fit.condition_number, 3));
  if (fit.per_joint.empty()) return text;
  text += alignedTable(jointRows(model));
  if (!fit.per_sensor.empty()) text += alignedTable(sensorRows(model));
  for (size_t j = 0; j < model.status.joints.size(); ++j)
    for (const std::string& reason : model.status.joints[j].reasons)
      text += wrappedText(fmt::format(
          "- {} must not be used: {}", channelName(model, static_cast<int>(j)), reason));
  return text;
}

std::string consistencyText(const Model& model) {
  const PhysicalFitResult& fit = model.consistency;
  if (!fit.feasible)
    return "Physically consistent fit: FAILED" +
           (fit.reason.empty() ? std::string() : ": " + fit.reason) + "\n";
  std::string text = fmt::format(
      "Physically consistent fit: {}, certified relative gap {}, smallest eigenvalue {}, {} steps, "
      "{} ms\n",
      std::string(fit.converged ? "optimal" : "NOT CONVERGED"),
      shown(fit.relative_duality_gap, 2),
      shown(fit.min_eigenvalue, 2),
      fit.iterations,
      shown(1e3 * fit.seconds, 3));
  if (fit.prior_weight > 0.0)
    text += wrappedText("- prior of weight " + shown(fit.prior_weight, 3) +
                        " (best on held-out blocks), certified relative gap " +
                        shown(fit.prior_relative_gap, 2));
  if (!fit.reason.empty()) text += wrappedText(fit.reason);
  for (const BoundReport& bound : fit.bounds)
    if (bound.active)
      text += wrappedText("- the optimum is at the bound " + bound.name + " (multiplier " +
                          shown(bound.multiplier, 3) + ")");
  return text;
}

/// The cost of the physical constraints per joint, and the masses that come from the prior.
std::string physicsText(const Model& model) {
  constexpr double kPriorMass = 0.5;
  std::string text;
  for (size_t j = 0; j < model.fit.per_joint.size(); ++j) {
    const ChannelFit& fit = model.fit.per_joint[j];
    if (!fit.price_reason.empty())
      text += wrappedText("- warning: physical consistency makes the error of " +
                          model.robot->drives[j].name + " " + shownPercent(fit.price_of_physics) +
                          " larger; held by " + fit.price_reason);
  }
  std::vector<std::string> links;
  for (size_t k = 0; k < model.robot->bodies.size(); ++k)
    if (k < model.consistency.mass_from_data.size() &&
        model.consistency.mass_from_data[k] < kPriorMass)
      links.push_back(model.robot->bodies[k].name);
  if (!links.empty())
    text += wrappedText("- masses from the prior, not from the logs: " + join(links));
  return text;
}

/// Parameters that the logs do not determine.
std::string identifiabilityText(const Model& model) {
  size_t alone = 0, combination = 0, none = 0;
  for (size_t c = 0; c < model.verdicts.size(); ++c) {
    const Column& column = model.layout.columns()[c];
    if (column.kind == ColumnKind::kInertial && model.robot->bodies[column.owner].massless)
      continue;
    const Identifiability told = model.verdicts[c].identifiability;
    alone += told == Identifiability::kAlone;
    combination += told == Identifiability::kCombination;
    none += told == Identifiability::kNone;
  }
  std::string text = fmt::format(
      "Parameters: {}, identifiable in {} combinations; {} alone, {} only in a combination, {} not "
      "at all\n",
      alone + combination + none,
      model.base_parameters.size(),
      alone,
      combination,
      none);
  const std::vector<std::string> uncertain = badlyExcited(model);
  if (!uncertain.empty())
    text += wrappedText(
        "badly excited by these logs (as uncertain as large, and large enough to matter): " +
        joinFew(uncertain));
  return text;
}

/// Agreement of the logs with each other.
std::string agreementText(const Model& model) {
  std::string text;
  for (const LogComparison& comparison : model.fit.log_agreement) {
    const std::string logs = model.fit.log_agreement.size() == 1
                                 ? "the two logs"
                                 : comparison.log + " and the other logs";
    const std::string numbers = fmt::format(
        " ({} parameters, differences {} times their standard deviation, {} outside the 95 % "
        "interval)",
        comparison.compared,
        shown(comparison.ratio, 3),
        shownPercent(comparison.outside));
    if (!comparison.differs) {
      text += wrappedText("Agreement: " + logs + " agree within their intervals" + numbers, 0);
      continue;
    }
    std::vector<std::string> names;
    constexpr size_t kShown = 5;
    for (const ParameterComparison& p : comparison.largest) {
      if (names.size() == kShown) break;
      names.push_back(p.name + " (" + shown(p.value, 3) + " against " + shown(p.other_value, 3) +
                      ", " + shown(p.deviations, 2) + " standard deviations)");
    }
    if (comparison.largest.size() > kShown)
      names.push_back(fmt::format("{} others", comparison.largest.size() - kShown));
    text += wrappedText("Agreement: " + logs + " differ by more than their intervals allow in " +
                            join(names) + numbers +
                            "; friction that warms up or that the terms of the model do not "
                            "follow, another payload or another calibration of the effort are the "
                            "usual causes",
                        0);
  }
  return text;
}

std::string baseParametersText(const Model& model) {
  std::vector<std::vector<std::string>> rows = {
      {"base parameter", "value", "std. dev.", "95 % interval", "unit"}};
  for (const BaseParameterEstimate& p : model.base_parameters)
    rows.push_back({p.name,
                    shown(p.value),
                    shown(p.std_dev, 2) + " (" + shownPercent(p.relativeStdDev()) + ")",
                    "[" + shown(p.lower_95) + ", " + shown(p.upper_95) + "]",
                    p.unit});
  return alignedTable(rows);
}

/// Drive gains identified from the logs; "" if the description gives all of them.
std::string driveGainsText(const Model& model) {
  if (model.drive_gain_std_dev.size() != model.drive_gains.size()) return "";
  std::vector<std::vector<std::string>> rows = {{"drive gain", "value", "std. dev.", "unit"}};
  for (Eigen::Index a = 0; a < model.drive_gains.size(); ++a) {
    const double gain = model.drive_gains(a), std_dev = model.drive_gain_std_dev(a);
    const Drive& drive = model.robot->drives[a];
    const bool stated = drive.drive_gain && !drive.identify_gain;
    rows.push_back({drive.name,
                    shown(gain),
                    std::isfinite(std_dev)
                        ? shown(std_dev, 2) + " (" + shownPercent(std_dev / std::abs(gain)) + ")"
                    : stated ? "as stated"
                             : "not determined",
                    model.driveGainUnit(static_cast<int>(a))});
  }
  return alignedTable(rows);
}

/// Figures that explain the headline error.
std::string besideText(const ValidationResult& result) {
  std::string text = "of the unfiltered effort";
  if (result.judged_by_motion)
    text += "; the log is judged by its moving samples, because friction holds resting joints";
  if (std::isfinite(result.filtered.noise_floor))
    text += fmt::format(
        "; noise floor {} (the part of it above {} Hz); {} of the filtered "
        "effort",
        shownPercent(result.filtered.noise_floor),
        shown(result.filtered.cutoff_hz, 3),
        shownPercent(result.filtered.relative_error));
  if (std::isfinite(result.training_error))
    text += fmt::format("; on its training logs the model has {}, cross-validated",
                        shownPercent(result.training_error));
  if (!result.training_log.empty()) text += "; THIS IS A TRAINING LOG";
  return wrappedText(text);
}

/// The error by which the log is judged.
std::string errorText(const ValidationResult& result) {
  std::string all = shownPercent(result.relative_error);
  if (!result.judged_by_motion) return all;
  return fmt::format(
      "{} while moving ({} of all samples)", shownPercent(result.relative_error_moving), all);
}

std::string scoresText(const ValidationResult& result) {
  const bool filtered = !result.filtered.per_joint.empty();
  std::vector<std::vector<std::string>> rows = {{"joint",
                                                 "unit",
                                                 "RMSE",
                                                 "rel. error",
                                                 "R2",
                                                 "moving RMSE",
                                                 "moving rel.",
                                                 "max",
                                                 "bias",
                                                 "corr. time",
                                                 "verdict"}};
  if (filtered) rows[0].push_back("filtered rel.");
  for (size_t j = 0; j < result.per_joint.size(); ++j) {
    const JointScore& s = result.per_joint[j];
    rows.push_back({s.joint,
                    s.unit,
                    shown(s.rmse, 3),
                    shownPercent(s.relative_error),
                    shown(s.r2, 4),
                    shown(s.rmse_moving, 3),
                    shownPercent(s.relative_error_moving),
                    shown(s.max_abs, 3),
                    shown(s.bias, 2),
                    shown(s.residual_time_s, 2) + " s"});
    rows.back().push_back(j < result.joints.size() ? toText(result.joints[j].outcome) : "");
    if (filtered) rows.back().push_back(shownPercent(result.filtered.per_joint[j].relative_error));
  }
  std::string text = alignedTable(rows);
  if (filtered)
    text += wrappedText(
        "All against the measurement as recorded, but the last column: there measurement and "
        "prediction are low-passed at " +
        shown(result.filtered.cutoff_hz, 3) + " Hz.");
  return text;
}

}  // namespace

std::string summaryOf(const std::vector<Finding>& findings) {
  if (findings.empty()) return "  no findings\n";
  std::string text;
  for (const Finding& finding : groupedFindings(findings))
    text += wrappedText(toText(finding.severity) + ": " + finding.message +
                            (finding.remedy.empty() ? "" : " -> " + finding.remedy) + " [" +
                            finding.code + "]",
                        2,
                        4);
  return text;
}

std::string summaryOf(const Model& model, bool verbose) {
  std::string text =
      "Model of " + model.robot->name + ": " + (model.status.usable ? "usable" : "NOT USABLE");
  if (!model.status.reason.empty())
    text += (model.status.usable && !model.status.assumptions.empty() ? ", " : ": ") +
            model.status.reason;
  text = wrappedText(text, 0);
  if (!model.scale_known)
    text += wrappedText(
        "All parameters have one common unknown factor: no known payload or drive gain determines "
        "the scale.");
  if (!model.provenance.logs.empty()) text += logsText(model);
  text += fitText(model) + consistencyText(model) + physicsText(model);
  if (model.parameters.size() > 0) text += alignedTable(massRows(model));
  if (model.parameters.size() > 0) text += alignedTable(frictionRows(model));
  text += agreementText(model) + driveGainsText(model);
  if (!model.base_parameters.empty()) text += identifiabilityText(model);
  if (verbose && !model.base_parameters.empty()) text += baseParametersText(model);
  return text;
}

std::string summaryOf(const Identification& identification, bool verbose) {
  std::string text;
  for (const ShownAudit& audit : shownAudits(identification))
    text += "Audit of " + audit.of + "\n" + summaryOf(audit.findings);
  return text + summaryOf(identification.model, verbose);
}

std::string summaryOf(const ValidationResult& result) {
  std::vector<std::string> not_judged;
  for (const JointVerdict& joint : result.joints)
    if (joint.outcome == JointVerdict::Outcome::kNotJudged) not_judged.push_back(joint.joint);
  std::string text =
      result.log + ": " + (result.passed ? "PASSED" : "FAILED") +
      (result.passed && !not_judged.empty() ? " but for " + join(not_judged) : "") +
      (result.assumptions.empty() ? "" : ", " + assumptionClause(result.assumptions)) +
      ", relative error " + errorText(result) + " over " + shownCount(result.scored) +
      " samples (" + shownCount(result.moving) + " moving, " +
      shownCount(result.samples - result.scored) + " left out)\n" + besideText(result);
  for (const std::string& reason : result.reasons) text += wrappedText("- " + reason);
  text += scoresText(result);
  text += "Checks\n";
  for (const Check& check : result.checks)
    text += wrappedText(check.name + ": " + outcomeText(check.outcome) +
                            (check.message.empty() ? "" : " - " + check.message),
                        2,
                        4);
  if (result.budget) text += budgetText(*result.budget);
  for (const Comparison& comparison : result.against)
    text += wrappedText("Against " + comparison.other + " (relative error " +
                            shownPercent(comparison.relative_error) + "): " + comparison.message,
                        0);
  if (!result.notes.empty()) text += "Notes\n";
  for (const std::string& note : groupedNotes(result)) text += wrappedText("- " + note);
  return text;
}

std::string summaryOf(const std::vector<ValidationResult>& results) {
  std::string text;
  if (results.size() > kFewLogs)
    return outcomeOf(results) + "\n" + alignedTable(logRows(results)) + "The worst of them\n" +
           summaryOf(results[shownResults(results).front()]);
  for (const ValidationResult& result : results) text += summaryOf(result);
  return text;
}

}  // namespace dynid
