#include "dynid/validation/joint_verdicts.h"

#include "dynid/core/text.h"
#include "dynid/identification/usability.h"
#include "dynid/math/nan.h"
#include "dynid/signals/cutoff.h"
#include "dynid/validation/model_friction.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

using Outcome = JointVerdict::Outcome;

/// With fewer moving samples the score of a joint is not meaningful.
constexpr double kFewestMovingSamples = 20.0;
constexpr double kFewestMovingFraction = 0.01;
// A smaller error of a joint is no mistake of the log, however good the training logs were.
constexpr double kSmallExcess = 0.02;
// Errors relative to those of the training logs up to which a joint is predicted as well as there.
constexpr double kAsInTraining = 1.5;
// Lines through measured over predicted effort: most joints of undamaged logs of nine real robots
// have slopes of 0.6 to 1.5 and correlations above 0.7 (experiments/mistakes).
constexpr double kFollows = 0.7, kDoesNotFollow = 0.5;
constexpr double kSmallestSlope = 0.6, kLargestSlope = 1.5;
// A payload multiplies the effort of a joint by less: 1.9 with 0.48 kg on a small arm.
constexpr double kLargestOfPayload = 5.0;
constexpr double kMostlyBias = 0.5;   // share of the squared error
constexpr double kMostlyAbove = 0.5;  // share of the squared error, above the cut-off
constexpr double kAtHighest = 0.99;   // of the highest cut-off: the rate is that of the median step

bool barelyMoves(const JointScore& score) {
  return score.moving_samples <
         std::max(kFewestMovingSamples, kFewestMovingFraction * score.samples);
}

double floorOf(const ValidationResult& result, int joint) {
  const std::vector<double>& floors = result.filtered.joint_noise_floor;
  return joint < std::ssize(floors) ? floors[joint] : kNaN;
}

/// A remark if the identification already found this joint hard to predict; otherwise "".
std::string hintAbout(const Model& model, int joint) {
  if (joint >= std::ssize(model.fit.per_joint)) return "";
  const ChannelFit& fit = model.fit.per_joint[joint];
  if (isIdentified(fit)) return "";
  return fmt::format(
      " (expected: the logs of the identification do not explain this channel either, relative "
      "error {}, cross-validated R2 {}; it is not identifiable from them)",
      toPercent(fit.relative_error),
      toText(fit.cross_validated_r2, 3));
}

/// ": cause -> remedy" if the scores indicate a cause, otherwise "".
/// @param rate_too_low  rateTooLow
std::string causeOf(const JointScore& score, double rate_too_low) {
  if (std::isnan(score.correlation)) return "";
  const std::string slope = toText(score.slope, 2), follows = toText(score.correlation, 2);
  if (score.correlation < -kFollows)
    return fmt::format(
        ": the measured effort is {} times the predicted one (correlation {}), its sign or that of "
        "the position is reversed in this log -> set sign = {{ {} = -1 }} in the import mapping",
        slope,
        follows,
        tomlKey(score.joint));
  if (score.correlation > kFollows && score.slope > 0.0 &&
      !(score.slope > kSmallestSlope && score.slope < kLargestSlope)) {
    const bool of_payload =
        score.slope > 1.0 / kLargestOfPayload && score.slope < kLargestOfPayload;
    return fmt::format(
        ": the measured effort is {} times the predicted one (correlation {}), {}its unit, gear "
        "ratio or drive gain is not that of the training logs -> {}set unit or gear_ratio in the "
        "import mapping, drive_gain in the robot description",
        slope,
        follows,
        of_payload ? "the robot carries another payload, or " : "",
        of_payload ? "state the payload of this log (`payload`), or " : "");
  }
  if (score.bias * score.bias > kMostlyBias * score.rmse * score.rmse)
    return fmt::format(
        ": the measured effort is {} {} {} the predicted one throughout, as with another "
        "payload, a zero of the position or of the effort sensor or a drive gain that is off -> "
        "state the payload of this log (`payload`), or check zeros and gains",
        toText(std::abs(score.bias), 3),
        score.unit,
        score.bias > 0.0 ? "above" : "below");
  if (std::abs(score.correlation) < kDoesNotFollow)
    return fmt::format(
        ": the measured effort does not follow the predicted one (correlation {}), as with the "
        "column of another joint or a zero position that is off -> check order and zeros of the "
        "columns (dynid inspect with the log and the robot tries them)",
        follows);
  if (rate_too_low > 0.0)
    return fmt::format(
        ": the measured effort follows the predicted one (correlation {}, slope {}), and most of "
        "the error lies above {} Hz: the {} Hz of this log do not resolve its motion -> log at a "
        "higher rate; if that changes nothing, check payload, friction and drives",
        follows,
        slope,
        toText(highestCutoff(rate_too_low), 3),
        toText(rate_too_low, 3));
  return fmt::format(
      ": the measured effort follows the predicted one (correlation {}, slope {}), as with a "
      "payload, friction or a drive that has changed, late efforts or another kind of motion -> "
      "check the log (dynid inspect with the robot); if it is right, identify with it",
      follows,
      slope);
}

std::string worseThanTraining(
    const Model& model, const ValidationResult& result, int joint, double ratio, double limit) {
  const JointScore& score = result.per_joint[joint];
  return fmt::format(
      "its error is {} times that of the training logs, above {} (`max_error_over_training`): {} "
      "of its effort instead of {}{}",
      toText(ratio, 3),
      toText(limit, 3),
      toPercent(score.relative_error),
      toPercent(model.fit.per_joint[joint].cross_validated_error),
      causeOf(score, rateTooLow(result, joint)));
}

// errorOverTraining of the moving samples alone.
double movingErrorOverTraining(const Model& model, int joint, JointScore score, double floor) {
  score.rmse = score.rmse_moving;
  score.relative_error = score.relative_error_moving;
  return errorOverTraining(model, joint, score, floor);
}

/// Of a joint that is predicted worse than in the training logs at standstill only.
std::string atStandstill(const JointScore& score, double ratio, double friction) {
  const std::string error = fmt::format(
      "its error is {} times that of the training logs, at standstill only (while moving {} of its "
      "effort)",
      toText(ratio, 3),
      toPercent(score.relative_error_moving));
  if (isHeldByFriction(score, friction)) return error + ": friction holds it there";
  return fmt::format(
      "{}: {} {} (rms), more than friction explains ({} {}): the position was not recorded there "
      "(a stuck encoder or message), or a brake, a support or an end stop carries the joint -> "
      "leave that part out (`from_s`, `to_s`)",
      error,
      toText(errorAtStandstill(score), 3),
      score.unit,
      toText(friction, 3),
      score.unit);
}

void judgeScores(const Model& model,
                 int joint,
                 double friction,
                 const ValidationThresholds& thresholds,
                 const ValidationResult& result,
                 JointVerdict& verdict) {
  const JointScore& score = result.per_joint[joint];
  const double floor = floorOf(result, joint);
  const auto fail = [&](std::string reason) {
    verdict.outcome = Outcome::kFailed;
    verdict.reasons.push_back(std::move(reason));
  };
  if (std::isnan(score.relative_error)) {
    fail(
        "its measured effort is zero in all samples -> check the effort column of the log and its "
        "place in the import mapping");
    return;
  }
  const double limit = thresholds.max_joint_relative_error;
  const double ratio = verdict.error_over_training;
  if (ratio > thresholds.max_error_over_training &&
      beyondFloor(score.relative_error, floor) > kSmallExcess) {
    if (movingErrorOverTraining(model, joint, score, floor) > thresholds.max_error_over_training)
      fail(worseThanTraining(model, result, joint, ratio, thresholds.max_error_over_training));
    else if (isHeldByFriction(score, friction))
      verdict.reasons.push_back(atStandstill(score, ratio, friction));
    else
      fail(atStandstill(score, ratio, friction));
  }
  if (score.relative_error_moving <= limit) return;
  if (ratio <= kAsInTraining) {
    verdict.reasons.push_back(
        fmt::format("relative error {} while moving, but not larger than in the training logs in "
                    "{}: its effort is small in this log",
                    toPercent(score.relative_error_moving),
                    score.unit));
    return;
  }
  if (beyondFloor(score.relative_error_moving, floor) <= limit) {
    verdict.reasons.push_back(
        fmt::format("relative error {} while moving, but the noise floor of its effort is {}",
                    toPercent(score.relative_error_moving),
                    toPercent(floor)));
    return;
  }
  fail(fmt::format("relative error {} while moving is above {}{}{}",
                   toPercent(score.relative_error_moving),
                   toPercent(limit),
                   hintAbout(model, joint),
                   verdict.reasons.empty() ? causeOf(score, rateTooLow(result, joint)) : ""));
}

JointVerdict judgeJoint(const Model& model,
                        int joint,
                        double friction,
                        const ValidationThresholds& thresholds,
                        const ValidationResult& result) {
  const JointScore& score = result.per_joint[joint];
  JointVerdict verdict;
  verdict.joint = score.joint;
  verdict.error_over_training = errorOverTraining(model, joint, score, floorOf(result, joint));
  const auto not_judged = [&](std::string reason) {
    verdict.outcome = Outcome::kNotJudged;
    verdict.reasons.push_back(std::move(reason));
    return verdict;
  };
  if (score.samples == 0.0) return not_judged("no sample has a finite measurement");
  if (barelyMoves(score))
    return not_judged(fmt::format("it barely moves in this log ({} of {} samples)",
                                  toText(score.moving_samples, 10),
                                  toText(score.samples, 10)));
  if (joint < std::ssize(model.status.joints) && !model.status.joints[joint].usable)
    return not_judged(fmt::format(
        "relative error {} while moving; the model says that its effort must not be used: {}",
        toPercent(score.relative_error_moving),
        join(model.status.joints[joint].reasons, "; ")));
  judgeScores(model, joint, friction, thresholds, result, verdict);
  return verdict;
}

}  // namespace

std::string toText(JointVerdict::Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return "passed";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kNotJudged:
      return "not judged";
  }
  return "";
}

double errorAtStandstill(const JointScore& score) {
  const double still = score.samples - score.moving_samples;
  if (!(still > 0.0)) return kNaN;
  const double moving =
      score.moving_samples > 0.0 ? score.moving_samples * std::pow(score.rmse_moving, 2) : 0.0;
  return std::sqrt(std::max(0.0, score.samples * std::pow(score.rmse, 2) - moving) / still);
}

bool isHeldByFriction(const JointScore& score, double friction) {
  return !(errorAtStandstill(score) > friction);
}

double beyondFloor(double error, double floor) {
  const double known_floor = std::isfinite(floor) ? floor : 0.0;
  return std::sqrt(std::max(0.0, error * error - known_floor * known_floor));
}

double errorOverTraining(const Model& model, int joint, const JointScore& score, double floor) {
  const OperatingPoints& points = model.operating_points;
  if (joint >= std::ssize(model.fit.per_joint) || joint >= points.measured.cols() ||
      points.measured.rows() == 0 || points.predicted.rows() != points.measured.rows())
    return kNaN;
  const auto rows = static_cast<double>(points.measured.rows());
  const double effort = points.measured.col(joint).norm() / std::sqrt(rows);
  const double residual =
      (points.measured.col(joint) - points.predicted.col(joint)).norm() / std::sqrt(rows);
  // The cross-validated error is that of the drive; where drives are coupled, the residual at the
  // operating points shows a larger error of the joint. A residual above the effort itself is no
  // error to compare with: the model does not predict its training logs.
  const double of_drive = model.fit.per_joint[joint].cross_validated_error * effort;
  const double training = residual < effort ? std::max(of_drive, residual) : of_drive;
  if (!(training > 0.0) || !(score.relative_error > 0.0)) return kNaN;
  const double effort_in_log = score.rmse / score.relative_error;
  const double error = beyondFloor(score.relative_error, floor);
  return error * std::min(effort, effort_in_log) / training;
}

double rateTooLow(const ValidationResult& result, int joint) {
  const JointScore& score = result.per_joint[joint];
  const double rate = result.samples / result.duration_s;
  if (!(result.filtered.cutoff_hz >= kAtHighest * highestCutoff(rate))) return 0.0;  // NaN too
  if (!(score.correlation > kFollows && score.slope > kSmallestSlope &&
        score.slope < kLargestSlope))
    return 0.0;
  const double above = floorOf(result, joint) / score.relative_error;
  return above * above > kMostlyAbove ? rate : 0.0;
}

bool failsByRate(const ValidationResult& result) {
  int failed = 0;
  for (int j = 0; j < std::ssize(result.joints); ++j) {
    if (result.joints[j].outcome != Outcome::kFailed) continue;
    if (!(rateTooLow(result, j) > 0.0)) return false;
    ++failed;
  }
  return failed > 0;
}

std::vector<JointVerdict> judgeJoints(const Model& model,
                                      const ValidationThresholds& thresholds,
                                      const ValidationResult& result) {
  const Eigen::VectorXd friction = frictionErrorAtRest(model);
  std::vector<JointVerdict> joints;
  for (int j = 0; j < std::ssize(result.per_joint); ++j)
    joints.push_back(judgeJoint(model, j, friction(j), thresholds, result));
  return joints;
}

}  // namespace dynid
