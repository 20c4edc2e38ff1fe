#include "dynid/validation/verdict.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/identification/usability.h"
#include "dynid/math/nan.h"
#include "dynid/validation/joint_verdicts.h"
#include "dynid/validation/model_friction.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kShortestLog = 1.0;  // [s]
// Held-out logs of nine real robots have 0.8 to 1.22 times the error (experiments/real_robots).
constexpr double kWorseThanTraining = 1.5;

/// ValidationResult::relative_error_moving
double movingError(const ValidationResult& result) {
  double errors = 0.0, efforts = 0.0;
  for (const JointScore& score : result.per_joint) {
    if (!(score.relative_error_moving > 0.0)) continue;
    const double squares = score.moving_samples * std::pow(score.rmse_moving, 2);
    errors += squares;
    efforts += squares / std::pow(score.relative_error_moving, 2);
  }
  return efforts > 0.0 ? std::sqrt(errors / efforts) : kNaN;
}

/// Whether the error of every joint at standstill is one that its friction can hold.
bool isHeldByFriction(const Model& model, const ValidationResult& result) {
  const Eigen::VectorXd friction = frictionErrorAtRest(model);
  for (Eigen::Index j = 0; j < std::ssize(result.per_joint); ++j)
    if (!isHeldByFriction(result.per_joint[j], friction(j))) return false;
  return true;
}

/// The error by which the log is judged.
double judgedError(const ValidationResult& result) {
  return result.judged_by_motion ? result.relative_error_moving : result.relative_error;
}

/// Whether the log is predicted worse than the training logs, and not only because its noise floor
/// is higher than theirs.
bool isWorseThanTraining(const ValidationResult& result) {
  const double error = judgedError(result);
  return error > kWorseThanTraining * result.training_error &&  // false for NaN
         beyondFloor(error, result.filtered.noise_floor) > result.training_error;
}

void judgeTotal(const ValidationThresholds& thresholds, ValidationResult& result) {
  if (std::isnan(result.relative_error)) {
    result.reasons.emplace_back(
        "there is no relative error: no effort of this log is measured and other than zero");
    return;
  }
  const double error = judgedError(result), floor = result.filtered.noise_floor;
  const char* samples = result.judged_by_motion ? "while moving" : "over all samples and joints";
  if (result.judged_by_motion &&
      (result.relative_error > thresholds.max_relative_error ||
       beyondFloor(result.relative_error, floor) > thresholds.max_excess_error))
    result.notes.push_back(
        fmt::format("judged by the samples in which the joints move (relative error {}): at "
                    "standstill friction carries any load up to its own size, and the errors there "
                    "are not larger",
                    toPercent(error)));
  if (!(error <= thresholds.max_relative_error)) {
    result.reasons.push_back(fmt::format("relative error {} {} is above {}",
                                         toPercent(error),
                                         samples,
                                         toPercent(thresholds.max_relative_error)));
    return;
  }
  if (isWorseThanTraining(result))
    result.notes.push_back(fmt::format(
        "the model predicts this log worse than its training logs (error {} times theirs): the "
        "motion is {}of another kind, or something has changed (payload, temperature, wear)",
        toText(error / result.training_error, 2),
        failsByRate(result) ? "too fast for the rate of the log, or " : ""));
  const double excess = beyondFloor(error, floor);
  if (excess > thresholds.max_excess_error)
    result.reasons.push_back(fmt::format(
        "relative error {}{} is far above the noise floor of {}: the model leaves {} of the effort "
        "that a model can explain, more than {} (`max_excess_error`); identify from logs that "
        "cover this motion, or check what has changed (payload, temperature, wear)",
        toPercent(error),
        result.judged_by_motion ? " while moving" : "",
        toPercent(floor),
        toPercent(excess),
        toPercent(thresholds.max_excess_error)));
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

/// Adds the findings of the diagnosis of the log. Refusals become reasons, before all others,
/// because they are the likely cause of the errors. Warnings become reasons only if the verdict
/// fails anyway or the log is predicted clearly worse than the training logs; all other findings
/// become notes.
void judgeLog(ValidationResult& result) {
  const bool failed = !result.reasons.empty() || isWorseThanTraining(result);
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

/// Adds a reason if no joint moves in the log or if the log is too short.
void judgeLength(ValidationResult& result) {
  if (result.moving == 0.0)
    result.reasons.emplace_back("no joint moves in this log: it judges nothing");
  if (result.duration_s < kShortestLog)
    result.reasons.push_back(fmt::format(
        "the log lasts {:.2g} s: too short to judge a model by, at least {} s are needed",
        result.duration_s,
        kShortestLog));
}

/// The verdicts of the joints: failures are reasons, everything else is noted.
void listJoints(const Model& model, ValidationResult& result) {
  if (!model.fit.per_joint.empty() && std::isfinite(result.relative_error) &&
      std::all_of(
          result.joints.begin(),
          result.joints.end(),
          [](const JointVerdict& joint) { return std::isnan(joint.error_over_training); }) &&
      std::any_of(result.joints.begin(), result.joints.end(), [](const JointVerdict& joint) {
        return joint.outcome != JointVerdict::Outcome::kNotJudged;
      }))
    result.notes.push_back(
        "no joint was compared with the training logs: " +
        std::string(!model.scale_known
                        ? "a model without a known drive gain does not hold their efforts"
                    : !model.status.usable
                        ? "a model that is not usable does not hold their errors and efforts"
                        : "the model file does not hold their errors and efforts (an older version "
                          "has written it); identify again with this version"));
  for (const JointVerdict& joint : result.joints)
    for (const std::string& reason : joint.reasons)
      if (joint.outcome == JointVerdict::Outcome::kFailed)
        result.reasons.push_back(joint.joint + ": " + reason);
      else
        result.notes.push_back(
            joint.joint + ": " +
            (joint.outcome == JointVerdict::Outcome::kNotJudged ? "not judged, " : "") + reason);
}

}  // namespace

void judge(const Model& model, const ValidationThresholds& thresholds, ValidationResult& result) {
  result.reasons.clear();
  judgeModel(model, result);
  judgeLength(result);
  result.joints = judgeJoints(model, thresholds, result);
  result.relative_error_moving = movingError(result);
  // While a joint stands still, friction carries any part of its load up to its own size: no model
  // knows which.
  result.judged_by_motion =
      result.relative_error_moving < result.relative_error && isHeldByFriction(model, result);
  judgeTotal(thresholds, result);
  listJoints(model, result);
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
      throw UsageError("`" + std::string(name) + "` is " + toText(value) + "; expected " +
                       expected);
  };
  need("max_relative_error", max_relative_error, max_relative_error > 0.0, "a positive number");
  need("max_joint_relative_error",
       max_joint_relative_error,
       max_joint_relative_error > 0.0,
       "a positive number");
  need("max_excess_error", max_excess_error, max_excess_error > 0.0, "a positive number");
  need("max_error_over_training",
       max_error_over_training,
       max_error_over_training >= 1.0,
       "a number of at least 1");
  need("min_mass_matrix_eigenvalue",
       min_mass_matrix_eigenvalue,
       min_mass_matrix_eigenvalue >= 0.0,
       "a number that is not negative");
  need("max_gap", max_gap, max_gap > 0.0, "a positive number");
  need("max_energy_error", max_energy_error, max_energy_error > 0.0, "a positive number");
}

}  // namespace dynid
