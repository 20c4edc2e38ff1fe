#include "dynid/validation/verdict.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

/// With fewer moving samples the score of a joint is not meaningful.
constexpr double kFewestMovingSamples = 20.0;
constexpr double kFewestMovingFraction = 0.01;
/// Cross-validated R2 below which identification reports a channel as not identifiable.
constexpr double kNotIdentifiable = 0.3;

std::string percent(double fraction) { return toText(100.0 * fraction, 3) + " %"; }

bool barelyMoves(const JointScore& score) {
  return score.moving_samples <
         std::max(kFewestMovingSamples, kFewestMovingFraction * score.samples);
}

/// A remark if the identification already found this joint hard to predict; otherwise "".
std::string hintAbout(const Model& model, size_t joint, double limit) {
  if (joint >= model.fit.per_joint.size()) return "";
  const ChannelFit& fit = model.fit.per_joint[joint];
  if (!(fit.relative_error > limit) && !(fit.cross_validated_r2 < kNotIdentifiable)) return "";
  return " (expected: the logs of the identification do not explain this channel either, relative "
         "error " +
         percent(fit.relative_error) + ", cross-validated R2 " + toText(fit.cross_validated_r2, 3) +
         "; it is not identifiable from them)";
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
  const double limit = thresholds.max_joint_relative_error;
  if (score.relative_error_moving <= limit) return;
  result.reasons.push_back(score.joint + ": relative error " +
                           percent(score.relative_error_moving) + " while moving is above " +
                           percent(limit) + hintAbout(model, joint, limit));
}

}  // namespace

void judge(const Model& model, const ValidationThresholds& thresholds, ValidationResult& result) {
  result.reasons.clear();
  if (!model.status.usable)
    result.reasons.push_back("the model says of itself that it is not usable: " +
                             model.status.reason);
  if (result.moving == 0.0)
    result.reasons.emplace_back("no joint moves in this log: it judges nothing");
  if (!(result.relative_error <= thresholds.max_relative_error))
    result.reasons.push_back("relative error " + percent(result.relative_error) +
                             " over all samples and joints is above " +
                             percent(thresholds.max_relative_error));
  for (size_t j = 0; j < result.per_joint.size(); ++j) judgeJoint(model, j, thresholds, result);
  for (const Check& check : result.checks) {
    if (check.outcome == Check::Outcome::kFailed)
      result.reasons.push_back(check.name + ": " + check.message);
    if (check.outcome == Check::Outcome::kNotVerifiable ||
        check.outcome == Check::Outcome::kNoticed)
      result.notes.push_back(check.name + ": " + check.message);
  }
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
  need("min-mass-matrix-eigenvalue",
       min_mass_matrix_eigenvalue,
       min_mass_matrix_eigenvalue >= 0.0,
       "a number that is not negative");
  need("max-gap", max_gap, max_gap > 0.0, "a positive number");
  need("max-energy-error", max_energy_error, max_energy_error > 0.0, "a positive number");
}

}  // namespace dynid
