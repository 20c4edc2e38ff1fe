#include "dynid/validation/log_suspicion.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/recordings/log_source.h"
#include "dynid/validation/joint_verdicts.h"
#include "dynid/validation/prediction_scores.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// Held-out logs of nine real robots have at most 1.22 times the cross-validated error of the
// training logs, single joints at most 1.9 times (experiments/real_robots).
constexpr double kErrorOverTraining = 2.0;
constexpr double kSmallError = 0.05;  // of a joint: smaller errors are not taken as a mistake

// Of the error of a joint in the log as it is: a late effort is predicted better with its delay.
constexpr double kBetterLate = 0.9;

bool farAbove(double error, double training) {
  return error > std::max(kErrorOverTraining * training, kSmallError);  // false for NaN
}

/// Whether the model predicts the effort of a joint better with the delays that the diagnosis has
/// found, or with half of them. Friction before sliding, which the plain model of the diagnosis
/// lacks, looks like a late effort to it, and adds to real delays.
bool isPredictedBetterLate(const Model& model,
                           const LogInput& log,
                           const IdentificationSettings& settings,
                           const Eigen::VectorXd& delay,
                           const std::vector<JointScore>& as_logged) {
  if (delay.size() != std::ssize(as_logged)) return true;
  Model late = model;
  for (const double share : {1.0, 0.5}) {
    late.signals.effort_delay = share * delay;
    const std::vector<JointScore> scores = predictionScores(late, log, settings).scores();
    for (Eigen::Index j = 0; j < delay.size(); ++j)
      if (std::abs(delay(j)) > kLateEffort && scores[j].rmse < kBetterLate * as_logged[j].rmse)
        return true;
  }
  return false;
}

}  // namespace

bool isSuspicious(const Model& model,
                  const ValidationThresholds& thresholds,
                  const ValidationResult& result) {
  if (!(result.relative_error <=
        std::min(thresholds.max_relative_error, thresholds.max_excess_error)))
    return true;
  if (farAbove(result.relative_error, model.fit.cross_validated_error)) return true;
  for (const JointVerdict& joint : judgeJoints(model, thresholds, result))
    if (joint.outcome == JointVerdict::Outcome::kFailed) return true;
  for (size_t j = 0; j < result.per_joint.size(); ++j) {
    const JointScore& score = result.per_joint[j];
    if (score.relative_error_moving > thresholds.max_joint_relative_error) return true;
    if (j < model.fit.per_joint.size() &&
        farAbove(score.relative_error, model.fit.per_joint[j].cross_validated_error))
      return true;
  }
  return false;
}

std::vector<Finding> suspicionsAbout(const Model& model,
                                     const LogInput& log,
                                     const IdentificationSettings& settings,
                                     const std::vector<JointScore>& scores) {
  const auto concerns_identification = [](const Finding& finding) {
    return finding.code == "raw-too-short" || finding.code == "too-short" ||
           finding.code == "no-motion" || finding.code == "joint-still" ||
           finding.code == "small-motion";
  };
  std::vector<Finding> findings = LogSource(model.robot, log, settings).findings();
  if (anyRefused(findings)) {  // what the audit refuses cannot be diagnosed
    std::erase_if(findings, [&](const Finding& finding) {
      return finding.severity != Finding::Severity::kRefuse || concerns_identification(finding);
    });
    return findings;
  }
  // What the diagnosis does not see: joints that the model holds fixed, and single rows.
  std::erase_if(findings, [](const Finding& finding) {
    return !finding.code.starts_with("held-joint-") && finding.code != "position-jump" &&
           finding.code != "effort-spikes";
  });
  const Diagnosis diagnosis = diagnose(model.robot,
                                       readDiagnosedLog(*model.robot,
                                                        log.path,
                                                        settings.assumptionsOf(log.path).correction,
                                                        settings.from_s,
                                                        settings.to_s),
                                       settings.threads);
  for (const Finding& finding : diagnosis.findings) {
    if (concerns_identification(finding)) continue;
    if (finding.code == "diagnosis-effort-late" &&
        finding.severity == Finding::Severity::kWarning && diagnosis.results &&
        !namesEffortDelay(*diagnosis.results) &&
        !isPredictedBetterLate(model, log, settings, diagnosis.results->effort_delay, scores))
      continue;
    findings.push_back(finding);
  }
  return findings;
}

}  // namespace dynid
