#pragma once

#include "dynid/consistency/physical_fit_result.h"
#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/log_correction.h"

#include <Eigen/Core>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Whether the predicted effort of one joint may be used.
struct JointStatus {
  bool usable = true;
  /// Why not, each with the number and the remedy; empty if usable
  std::vector<std::string> reasons = {};
};

/// Whether the model may be used, and why not. Set by `identify`.
struct ModelStatus {
  bool usable = false;
  std::string reason;  ///< all reasons or reservations; "" only where usable without reservation
  /// Why it must not be used, each with the number and the remedy
  std::vector<std::string> reasons = {};
  /// Limits of its use, each with the number and the remedy
  std::vector<std::string> reservations = {};
  /// What was assumed about the training logs, clauses: "the effort of elbow has the opposite
  /// sign".
  std::vector<std::string> assumptions = {};
  std::vector<JointStatus> joints = {};  ///< one per joint; empty if the joints were not judged
};

/// One term of a combination of standard parameters.
struct CombinationTerm {
  int column = 0;  ///< of the layout
  double coefficient = 0.0;
};

/// One combination of standard parameters that is identifiable from joint torques.
struct BaseParameterEstimate {
  std::string name;        ///< name of its independent column, unique
  std::string expression;  ///< the whole combination as text, coefficients with six digits
  /// The expression as numbers: value = sum of coefficient * parameter, in ascending order of
  /// columns.
  std::vector<CombinationTerm> combination;
  double value = 0.0;  ///< of the physically consistent parameters, which the model uses
  /// Of the least-squares value, cluster-robust; infinite if the logs do not determine it
  double std_dev = 0.0;
  /// The interval contains `value`. It is widened if bounds or the prior move the value away from
  /// the least-squares value, and cut at zero if the parameter cannot be negative.
  double lower_95 = 0.0, upper_95 = 0.0;
  std::string unit;
  double least_squares = 0.0;     ///< the value of unconstrained weighted least squares
  double relativeStdDev() const;  ///< std_dev / |value|; infinite for value 0
};

/// Identifiability of one standard parameter from joint torques, a property of the robot.
enum class Identifiability {
  kAlone,        ///< determined by itself
  kCombination,  ///< only as part of a combination with other parameters
  kNone          ///< without effect on any joint torque
};
/// How far the motion of the logs determines what is identifiable.
enum class Excitation {
  kWell,   ///< with a smaller standard deviation than the value, or known to be small
  kBadly,  ///< with a standard deviation as large as the value
  kNone    ///< not at all
};
/// Whether a standard parameter could be identified.
struct ParameterVerdict {
  Identifiability identifiability = Identifiability::kNone;
  Excitation excitation = Excitation::kNone;
  std::string seen_in;  ///< name of the base parameter that it is part of; "" for none
};

/// Residuals of one effort channel, joint side (N m or N; A where the model is in currents).
struct ChannelFit {
  double rmse = 0.0;            ///< root mean square of measured - predicted
  double relative_error = 0.0;  ///< ||measured - predicted|| / ||measured||
  double sigma = 0.0;           ///< noise used as the channel's weight, actuator side
  double samples = 0.0;         ///< number of moving rows
  /// R2 of the unfiltered effort over all samples, actuator side (where only statistics of the logs
  /// are available: of the filtered effort over moving rows); every block is predicted by the fit
  /// of the other blocks. Below 0.3 the channel is not identifiable from these logs.
  double cross_validated_r2 = 0.0;
  /// Relative increase of the residual by the physical constraints: rms of the first stage / rms of
  /// unconstrained least squares - 1.
  double price_of_physics = 0.0;
  /// The constraint that is most likely the cause of the increase; "" if it is below 10 %.
  std::string price_reason = {};
  /// Relative error of the unfiltered effort, actuator side, cross-validated as cross_validated_r2.
  /// NaN: not known.
  double cross_validated_error = std::numeric_limits<double>::quiet_NaN();
  /// Share of that residual above the cut-off of the fit, in the same norm (squaredNoiseFloor).
  double noise_floor = std::numeric_limits<double>::quiet_NaN();
};

/// How the equations of a wrench sensor fit, over the moving rows of the filtered channels.
struct SensorFit {
  std::string channel;        ///< "base/wrench" or "bodies/LINK/wrench"
  double force_error = 0.0;   ///< ||measured - predicted|| / ||measured|| of the three forces
  double moment_error = 0.0;  ///< likewise of the moments
  /// Factors of the measured forces and moments with which they agree best with all other channels;
  /// NaN: not determined.
  double force_factor = std::numeric_limits<double>::quiet_NaN();
  double moment_factor = std::numeric_limits<double>::quiet_NaN();
  double samples = 0.0;  ///< number of moving rows
};

/// A base parameter estimated from one log, compared with its estimate from the other logs.
struct ParameterComparison {
  std::string name;
  double value = 0.0, other_value = 0.0;  ///< from this log, from the other logs
  double std_dev = 0.0;                   ///< of the difference
  double deviations = 0.0;                ///< the difference in standard deviations
  bool significant = false;               ///< beyond chance
};

/// Agreement of the parameters of one log with those of the other logs (compareLogs).
struct LogComparison {
  std::string log;
  int compared = 0;      ///< number of parameters compared
  double ratio = 0.0;    ///< root mean square of the differences in standard deviations; 1 expected
  double outside = 0.0;  ///< share of parameters outside the 95 % interval; 0.05 expected
  bool differs = false;  ///< by more than the intervals allow
  std::vector<ParameterComparison> largest;  ///< the significant ones, or else the three largest
  /// Per channel (LogAgreement): efforts that one fit of all logs predicts otherwise than the fits
  /// of this log and of the others, and the error of these fits, relative to the measured efforts.
  /// Empty: not known.
  std::vector<double> apart = {}, residual = {};
  double split = 0.0;  ///< of parts of one log: share of the log that is the first part; 0: of logs
};

/// Quality of the fit over all logs.
struct FitSummary {
  double samples = 0.0;  ///< used, after decimation
  double rows = 0.0;
  double condition_number = 0.0;      ///< of the whitened base columns, scaled to unit norm
  std::vector<ChannelFit> per_joint;  ///< one per effort channel
  std::vector<SensorFit> per_sensor;  ///< one per wrench sensor of the logs
  double relative_error = 0.0;        ///< of the filtered effort, moving samples, in the fit itself
  /// The headline figure: relative error of the unfiltered effort over all samples and joints,
  /// every block predicted by the fit of the other blocks; and the part of this residual above the
  /// cut-off (squaredNoiseFloor). NaN: not known.
  double cross_validated_error = std::numeric_limits<double>::quiet_NaN();
  double noise_floor = std::numeric_limits<double>::quiet_NaN();
  double objective_unconstrained = 0.0;  ///< 1/2 squared whitened residual of least squares
  /// One per log; a single entry for two logs; empty for one log
  std::vector<LogComparison> log_agreement;
  /// The parts of a single log (compareParts); empty if they agree.
  std::optional<LogComparison> halves;
};

/// A payload as given or identified; its parameters about the origin of the link that carries it,
/// in the axes of that link.
struct PayloadModel {
  std::string name, link;
  InertialParameters parameters = InertialParameters::Zero();
};

/// How prediction conditions the motion. It is fixed at identification, so that validation does the
/// same.
struct SignalSettings {
  double cutoff_hz = 0.0;  ///< of the fit; NaN: each log chooses its own
  /// [actuators] cut-offs of the motion for predicted rigid-body torque and for friction; empty:
  /// cutoff_hz
  Eigen::VectorXd rigid_cutoff_hz, friction_cutoff_hz;
  int filter_order = 4;
  double still_speed = 0.02;  ///< [rad/s or m/s] below this speed a joint counts as at standstill
  /// [actuators] Below this speed [rad/s or m/s] the sign of Coulomb friction is a linear ramp
  /// through zero, as in the fit; 0: it is a step. Empty (models without a fit): derived from the
  /// standstill of each log.
  Eigen::VectorXd ramp_speed;
  /// The ramp speed of an actuator for states that do not come from a log.
  double rampSpeed(int actuator) const {
    return ramp_speed.size() > 0 ? ramp_speed(actuator) : still_speed;
  }
  std::string motion = "filtered";  ///< how motion is made from positions: "filtered" or "spline"
  /// [actuators] s: delay of the measured efforts against the motion; predictions get the same
  /// delay. Empty: none.
  Eigen::VectorXd effort_delay;
};

/// Samples of the training logs, evenly spread [points x joints], joint side, SI: motion, measured
/// and predicted effort. A simpler model can be compared with this one at these samples. Numbers
/// have seven digits.
struct OperatingPoints {
  Eigen::MatrixXd q, dq, ddq;  ///< conditioned motion, earlier than the effort by its delay
  Eigen::MatrixXd measured;    ///< effort, not filtered
  Eigen::MatrixXd predicted;   ///< by the model, payloads, presliding and delay included
};

/// A log from which the model was identified.
struct LogRecord {
  std::string file, sha256;
  double samples = 0, used = 0, dropped = 0;  ///< rows: of the file, used, left out
  /// Rows of the file from which the log was used, [first_row, end_row); both 0: not known
  double first_row = 0, end_row = 0;
  /// [s] delay that its efforts have in common (negative: they are early), with the standard
  /// deviation; NaN: not known.
  double effort_delay = std::numeric_limits<double>::quiet_NaN();
  double effort_delay_std_dev = std::numeric_limits<double>::quiet_NaN();
  /// [actuators] s: delays of single efforts that differ from the common delay; NaN: no difference.
  /// Empty: no effort has its own delay.
  Eigen::VectorXd own_effort_delay = {};
  std::vector<std::string> notes;   ///< what was repaired or dropped, in words
  LogAssumptions assumptions = {};  ///< under which the log was read; empty: as it is
};

/// Whether rows of one file are used by both; rows that are not known may be any.
bool shareRows(const LogRecord& a, const LogRecord& b);

/// From what the model was made, and how.
struct Provenance {
  std::string dynid_version, command;
  std::vector<LogRecord> logs;
  std::vector<std::pair<std::string, std::string>> settings;  ///< effective, name and value
};

/// The result of an identification, which is saved, loaded, reported and exported.
///
///     tau_actuator = sum over `layout` of column(q, dq, ddq, state) * parameters
///     tau_joint = T^-T tau_actuator
struct Model {
  ModelStatus status;
  std::shared_ptr<const Robot> robot;
  /// Inertial columns of every body, then effects by actuator, then payloads
  ParameterLayout layout;
  Eigen::VectorXd parameters;                  ///< physically consistent, in the layout's order
  std::string equations = "inverse-dynamics";  ///< that were fitted, see equationsOf
  /// Drive gains [N m/A or N/A], one per actuator; NaN where the log held efforts.
  Eigen::VectorXd drive_gains;
  /// One per actuator; NaN where the gain was not found from logs
  Eigen::VectorXd drive_gain_std_dev;
  /// Unit of predictions: "N m", or "A" if the drive gains are unknown.
  std::string effort_unit = "N m";
  bool scale_known = true;  ///< false: all parameters have one common unknown factor

  std::vector<BaseParameterEstimate> base_parameters;
  Eigen::MatrixXd base_covariance;         ///< [base x base]
  std::vector<ParameterVerdict> verdicts;  ///< one per column of the layout
  std::vector<PayloadModel> payloads;
  FitSummary fit;
  PhysicalFitResult consistency;
  std::vector<std::string> prior_source;  ///< one per body: "urdf", "mjcf", "capsule", "massless"
  bool has_certificate = true;  ///< false if the certificate was left out of the model file
  SignalSettings signals;
  /// Empty if there are no logs, the scale is not known, or addOperatingPoints was not called
  OperatingPoints operating_points;
  Provenance provenance;

  /// @throws std::invalid_argument if there is no robot, or if parameters, gains or settings per
  /// actuator do not fit the robot and the layout
  void check() const;

  /// "N m/A" or "N/A"; "relative" where the scale is not known.
  std::string driveGainUnit(int actuator) const;

  /// Inertial parameters of a body.
  InertialParameters body(int k) const { return parameters.segment<10>(10 * k); }
};

}  // namespace dynid
