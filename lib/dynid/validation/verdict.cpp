#include "dynid/validation/verdict.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/identification/usability.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

/// With fewer moving samples the score of a joint is not meaningful.
constexpr double kFewestMovingSamples = 20.0;
constexpr double kFewestMovingFraction = 0.01;
constexpr double kShortestLog = 1.0;  // [s]
// Held-out logs of nine real robots have 0.8 to 1.22 times the error (experiments/real_robots).
constexpr double kWorseThanTraining = 1.5;

std::string percent(double fraction) { return toText(100.0 * fraction, 3) + " %"; }

/// What an error leaves above the noise floor; 0 where the floor is not known (NaN).
double beyond(double error, double floor) {
  return std::sqrt(std::max(0.0, error * error - floor * floor));
}

bool barelyMoves(const JointScore& score) {
  return score.moving_samples <
         std::max(kFewestMovingSamples, kFewestMovingFraction * score.samples);
}

/// A remark if the identification already found this joint hard to predict; otherwise "".
std::string hintAbout(const Model& model, size_t joint, double limit) {
  if (joint >= model.fit.per_joint.size()) return "";
  const ChannelFit& fit = model.fit.per_joint[joint];
  if (!(fit.relative_error > limit) && !(fit.cross_validated_r2 < kNotIdentifiedR2)) return "";
  return " (expected: the logs of the identification do not explain this channel either, relative "
         "error " +
         percent(fit.relative_error) + ", cross-validated R2 " + toText(fit.cross_validated_r2, 3) +
         "; it is not identifiable from them)";
}

/// What the model says against using a joint, "" for nothing.
std::string notToBeUsed(const Model& model, size_t joint) {
  if (joint >= model.status.joints.size() || model.status.joints[joint].usable) return "";
  return join(model.status.joints[joint].reasons, "; ");
}

void judgeTotal(const ValidationThresholds& thresholds, ValidationResult& result) {
  if (!(result.relative_error <= thresholds.max_relative_error)) {
    result.reasons.push_back("relative error " + percent(result.relative_error) +
                             " over all samples and joints is above " +
                             percent(thresholds.max_relative_error));
    return;
  }
  if (result.relative_error > kWorseThanTraining * result.training_error)
    result.notes.push_back(fmt::format(
        "the model predicts this log worse than its training logs (error {} times theirs): the "
        "motion is of another kind, or something has changed (payload, temperature, wear)",
        toText(result.relative_error / result.training_error, 2)));
  const double floor = result.filtered.noise_floor;
  const double excess = beyond(result.relative_error, floor);
  if (excess > thresholds.max_excess_error)
    result.reasons.push_back(fmt::format(
        "relative error {} is far above the noise floor of {}: the model leaves {} of the effort "
        "that a model can explain, more than {} (`max_excess_error`); identify from logs that "
        "cover this motion, or check what has changed (payload, temperature, wear)",
        percent(result.relative_error),
        percent(floor),
        percent(excess),
        percent(thresholds.max_excess_error)));
}

/// The model itself: its own verdict, and its numbers judged again.
void judgeModel(const Model& model, ValidationResult& result) {
  if (!model.status.usable)
    result.reasons.push_back("the model file marks the model as not usable: " +
                             model.status.reason);
  for (const std::string& reason : implausibilities(model))
    if (model.status.reason.find(reason) == std::string::npos)
      result.reasons.push_back("the model is not plausible: " + reason);
}

std::string textOf(const Finding& finding) {
  return fmt::format("{}{}{} [{}]",
                     finding.message,
                     finding.remedy.empty() ? "" : " -> ",
                     finding.remedy,
                     finding.code);
}

/// What the diagnosis found wrong with the log: the cause stands before its effects. What it is
/// less sure of is a reason only where the verdict fails anyway.
void judgeLog(ValidationResult& result) {
  const bool failed = !result.reasons.empty();
  std::vector<std::string> causes;
  for (const Finding& finding : result.diagnosis) {
    if (finding.severity == Finding::Severity::kRefuse)
      causes.push_back("this log seems to be wrong, rather than the model: " + textOf(finding));
    else if (finding.severity == Finding::Severity::kWarning && failed)
      causes.push_back("this log may be wrong, rather than the model: " + textOf(finding));
    else
      result.notes.push_back("about this log: " + textOf(finding));
  }
  result.reasons.insert(result.reasons.begin(), causes.begin(), causes.end());
}

/// Is there enough to judge by?
void judgeLength(ValidationResult& result) {
  if (result.moving == 0.0)
    result.reasons.emplace_back("no joint moves in this log: it judges nothing");
  if (result.duration_s < kShortestLog)
    result.reasons.push_back(fmt::format(
        "the log lasts {:.2g} s: too short to judge a model by, at least {} s are needed",
        result.duration_s,
        kShortestLog));
}

// Compares the relative error of one joint over its moving samples with the threshold. A joint
// without measurements or with little motion is not judged.
void judgeJoint(const Model& model,
                size_t joint,
                const ValidationThresholds& thresholds,
                ValidationResult& result) {
  const JointScore& score = result.per_joint[joint];
  if (score.samples == 0.0) {
    result.notes.push_back(score.joint + ": not judged, no sample has a finite measurement");
    return;
  }
  if (barelyMoves(score)) {
    result.notes.push_back(score.joint + ": not judged, it barely moves in this log (" +
                           toText(score.moving_samples, 10) + " of " + toText(score.samples, 10) +
                           " samples)");
    return;
  }
  if (const std::string why = notToBeUsed(model, joint); !why.empty()) {
    result.not_judged.push_back(score.joint);
    result.notes.push_back(fmt::format(
        "{}: not judged (relative error {} while moving), the model says that its effort must not "
        "be used: {}",
        score.joint,
        percent(score.relative_error_moving),
        why));
    return;
  }
  const double limit = thresholds.max_joint_relative_error;
  if (score.relative_error_moving <= limit) return;
  const std::vector<double>& floors = result.filtered.joint_noise_floor;
  const double floor = joint < floors.size() && std::isfinite(floors[joint]) ? floors[joint] : 0.0;
  if (beyond(score.relative_error_moving, floor) <= limit) {
    result.notes.push_back(
        fmt::format("{}: relative error {} while moving, but the noise floor of its effort is {}",
                    score.joint,
                    percent(score.relative_error_moving),
                    percent(floor)));
    return;
  }
  result.reasons.push_back(score.joint + ": relative error " +
                           percent(score.relative_error_moving) + " while moving is above " +
                           percent(limit) + hintAbout(model, joint, limit));
}

}  // namespace

void judge(const Model& model, const ValidationThresholds& thresholds, ValidationResult& result) {
  result.reasons.clear();
  judgeModel(model, result);
  judgeLength(result);
  judgeTotal(thresholds, result);
  for (size_t j = 0; j < result.per_joint.size(); ++j) judgeJoint(model, j, thresholds, result);
  for (const Check& check : result.checks) {
    if (check.outcome == Check::Outcome::kFailed)
      result.reasons.push_back(check.name + ": " + check.message);
    if (check.outcome == Check::Outcome::kNotVerifiable ||
        check.outcome == Check::Outcome::kNoticed)
      result.notes.push_back(check.name + ": " + check.message);
  }
  judgeLog(result);
  result.passed = result.reasons.empty();
  result.verdict = result.passed ? "passed" : "failed: " + join(result.reasons, "; ");
}

void ValidationThresholds::check() const {
  const auto need = [](const char* name, double value, bool good, const char* expected) {
    if (!good)
      throw UsageError(std::string(name) + " is " + toText(value) + "; expected " + expected);
  };
  need("max-relative-error", max_relative_error, max_relative_error > 0.0, "a positive number");
  need("max-joint-relative-error",
       max_joint_relative_error,
       max_joint_relative_error > 0.0,
       "a positive number");
  need("max-excess-error", max_excess_error, max_excess_error > 0.0, "a positive number");
  need("min-mass-matrix-eigenvalue",
       min_mass_matrix_eigenvalue,
       min_mass_matrix_eigenvalue >= 0.0,
       "a number that is not negative");
  need("max-gap", max_gap, max_gap > 0.0, "a positive number");
  need("max-energy-error", max_energy_error, max_energy_error > 0.0, "a positive number");
}

}  // namespace dynid
