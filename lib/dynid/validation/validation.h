#pragma once

#include "dynid/model/error_limits.h"
#include "dynid/model/model.h"
#include "dynid/signals/finding.h"
#include "dynid/validation/torque_budget.h"

#include <Eigen/Core>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Scores of one joint over the samples of a log. The measured effort is unfiltered, on the joint
/// side, in N m or N (A for currents without known gains).
struct JointScore {
  std::string joint;
  std::string unit = "N m";            ///< of rmse, max_abs, bias: N m, N or A
  double rmse = 0.0;                   ///< root mean square of measured - predicted
  double relative_error = 0.0;         ///< ||measured - predicted|| / ||measured||
  double r2 = 0.0;                     ///< 1 - sum (m - p)^2 / sum (m - mean m)^2
  double rmse_moving = 0.0;            ///< over the samples in which the joint moves
  double relative_error_moving = 0.0;  ///< over the same samples
  double max_abs = 0.0;                ///< largest |measured - predicted|
  double bias = 0.0;                   ///< mean of measured - predicted
  /// Straight line through the measured over the predicted effort: its slope and their correlation.
  /// 1 and 1 for a perfect model; NaN where the predicted effort is constant.
  double slope = std::numeric_limits<double>::quiet_NaN();
  double correlation = std::numeric_limits<double>::quiet_NaN();
  /// Ljung-Box statistic divided by its degrees of freedom; about 1 for white residuals.
  double whiteness = 0.0;
  double residual_time_s = 0.0;  ///< integral autocorrelation time of the residual
  double samples = 0.0;          ///< number of scored samples
  double moving_samples = 0.0;   ///< those in which this joint moves
};

/// Scores of the low-passed prediction against the low-passed measurement, see FilteredScorer.
struct FilteredScore {
  double cutoff_hz = 0.0;  ///< [Hz] of the low-pass; NaN: no filter applies
  /// Only `rmse`, `relative_error` and `r2`; of the filtered signals.
  std::vector<JointScore> per_joint;
  /// ||filtered measured - filtered predicted|| / ||filtered measured||, all joints and samples.
  double relative_error = std::numeric_limits<double>::quiet_NaN();
  /// ||e - filtered e|| / ||measured||, all joints and samples, of the residual e = measured -
  /// predicted: what it contains above the cut-off (squaredNoiseFloor); at most the relative error
  /// against the unfiltered measurement.
  double noise_floor = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> joint_noise_floor = {};  ///< the same per joint
};

/// What the log says about the predicted effort of one joint.
struct JointVerdict {
  /// Whether the joint passed.
  enum class Outcome {
    kPassed,
    kFailed,
    kNotJudged  ///< it barely moves, is not measured, or the model says that it must not be used
  };
  std::string joint;
  Outcome outcome = Outcome::kPassed;
  /// Error in this log over that in the training logs (errorOverTraining); NaN: not known.
  double error_over_training = std::numeric_limits<double>::quiet_NaN();
  /// Why it failed or is not judged, each with the number, the likely cause and the remedy; of a
  /// joint that passed: remarks.
  std::vector<std::string> reasons = {};
};

/// One named check with its outcome, value and threshold.
struct Check {
  /// Result of a check.
  enum class Outcome {
    kPassed,
    kFailed,
    kNotVerifiable,
    kNoticed  ///< physically implausible, but no reason to fail the verdict
  };
  /// mass_matrix_positive_definite, physically_consistent, certificate, energy_balance, ...
  std::string name;
  Outcome outcome = Outcome::kNotVerifiable;
  double value = 0.0;      ///< in the unit that the check states
  double threshold = 0.0;  ///< in the same unit; see ValidationThresholds
  std::string message;     ///< one sentence with value and threshold
};

/// Paired comparison of two models on the same samples.
struct Comparison {
  std::string other;
  double relative_error = 0.0;  ///< of the other model
  std::vector<JointScore> per_joint;
  double difference = 0.0;   ///< mean over blocks of the whitened squared error, other minus ours
  double p_value = 1.0;      ///< two-sided, from blockwise pairs, accounts for autocorrelation
  bool significant = false;  ///< at 5 %
  std::string message;       ///< "this model is better: ..., p = 0.002"
};

/// Thresholds of the verdict; each is an option of `validate`.
struct ValidationThresholds {
  double max_relative_error = kLargestError;             ///< over all joints and samples
  double max_joint_relative_error = kLargestJointError;  ///< of any joint, over moving samples
  double max_excess_error = kDoubtfulError;  ///< sqrt(error^2 - noise floor^2), all joints
  /// Of any joint: errorOverTraining. Joints of pairs of training logs of eight real robots (halves
  /// of one log, other motions, other days) have at most 3.8 (experiments/mistakes).
  double max_error_over_training = 4.0;
  double min_mass_matrix_eigenvalue = 0.0;  ///< smallest eigenvalue of the mass matrix [kg m^2, kg]
  double max_gap = 1e-6;                    ///< relative duality gap
  double max_energy_error = 0.25;           ///< relative error of the energy balance over the log

  /// @throws UsageError with the name of the invalid threshold and its value
  void check() const;
};

/// Decimated curves for the report.
struct Curves {
  Eigen::VectorXd time;                 ///< [points] s
  Eigen::MatrixXd measured, predicted;  ///< [points x joints]
};

/// Result of `validate`: verdict, scores, checks and comparisons.
struct ValidationResult {
  bool passed = false;
  std::string verdict;               ///< "passed", or "failed: ..." with all reasons
  std::vector<std::string> reasons;  ///< one sentence each, empty if passed
  std::string log;                   ///< name of the file
  double relative_error = 0.0;  ///< ||measured - predicted|| / ||measured||, all joints and samples
  /// The same over the samples in which each joint moves; NaN: none, or not measured.
  double relative_error_moving = std::numeric_limits<double>::quiet_NaN();
  /// The verdict rests on relative_error_moving, because the errors at standstill are not larger
  /// than the friction of the model, which carries any load up to its own size there.
  bool judged_by_motion = false;
  std::string unit = "N m";  ///< of the efforts: "N m", or "A" if the drive gains are unknown
  std::vector<JointScore> per_joint;
  std::vector<JointVerdict> joints;  ///< one per entry of `per_joint`
  FilteredScore filtered;
  /// Samples of the log; those with a finite measurement; those in which a joint moves.
  double samples = 0, scored = 0, moving = 0;
  /// [s] samples times the usual time step; NaN: not known.
  double duration_s = std::numeric_limits<double>::quiet_NaN();
  /// The model's cross-validated error of its training logs; NaN: not known.
  double training_error = std::numeric_limits<double>::quiet_NaN();
  std::string training_log;  ///< name under which the model was trained on this log; "": it was not
  /// What the diagnosis says of the log; made where the log is predicted badly.
  std::vector<Finding> diagnosis;
  std::vector<std::string> assumptions;  ///< of the model, under which the log was read
  std::vector<Check> checks;
  std::vector<Comparison> against;  ///< one per model to compare with
  std::vector<std::string> notes;   ///< what was assumed or left out, one sentence each
  Curves curves;
  std::optional<TorqueBudget> budget;  ///< only if requested
};

}  // namespace dynid
