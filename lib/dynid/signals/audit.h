#pragma once

#include "dynid/signals/finding.h"
#include "dynid/signals/plan.h"

#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace dynid {

inline constexpr double kUsualTurn = 4.0 * std::numbers::pi;  ///< [rad] of a joint with limits

/// What the audit knows about the robot besides the signals.
struct AuditContext {
  std::vector<std::string> joint_names;  ///< [n]; empty: "joint 1", ...
  std::vector<bool> prismatic;           ///< [n]; empty: all joints are revolute
  /// [n] rad or m; empty or infinite: no limit known
  Eigen::VectorXd position_lower, position_upper;
  /// [n] rad: a revolute joint that turns further looks as if it were recorded in degrees; empty:
  /// kUsualTurn for all
  Eigen::VectorXd largest_turn;
  /// [n] N m or N; empty or infinite: no limit known. Larger efforts look as if they were in
  /// another unit; without a limit those above 2e4.
  Eigen::VectorXd effort_limit;
  Eigen::VectorXd velocity_limit;  ///< [n] rad/s or m/s; empty or infinite: no limit known
  /// Largest share of rows with values that are not finite or with stamps out of order; above it
  /// the log is refused; (0, 1].
  double max_bad_fraction = 0.2;
  std::string required_name;  ///< of RawSignals::required, for messages
  int threads = 1;            ///< that audit; the findings do not depend on it

  /// @throws std::invalid_argument with the name of the field that does not fit `joints`
  void check(Eigen::Index joints) const;
};

/// Checks a log for defects that would make a fit meaningless, without a model. Codes:
///   rows      not-finite, backward-time, duplicate-time, repeated-rows,
///             interpolated-rows, lost-rows, gaps, too-short
///   clock     no-clock, clock-quantised, clock-jittered
///   motion    no-motion, joint-still, small-motion, position-degrees, position-jump,
///             joined-recordings, position-limit, position-clipped, two-sources, noisy-position,
///             motion-interrupted, spline-coarse, speed-low
///   velocity  velocity-lag, velocity-sign, velocity-degrees, velocity-scale, velocity-mismatch,
///             swapped-joints, velocity-absent
///   acceleration  acceleration-mismatch
///   effort    no-effort, effort-zero, effort-constant, effort-clipped, effort-spikes,
///             effort-coarse, effort-low-passed, effort-unit
/// Exchanged or reversed efforts can only be detected with a model; the module `diagnosis` does
/// that.
/// @param excerpts the excerpts from which planSignals made the plan
/// @param plan the result of planSignals
/// @returns findings, the most severe first, then in the order above and by joint
std::vector<Finding> auditSignals(std::span<const RawSignals> excerpts,
                                  const SignalPlan& plan,
                                  const AuditContext& context);

/// Plans and audits. If no plan can be made, the findings state the reason (and refuse the log).
/// @param excerpts contiguous excerpts of one log
/// @throws UsageError for invalid options, std::invalid_argument for wrong shapes
std::vector<Finding> auditLog(std::span<const RawSignals> excerpts,
                              const SignalOptions& options,
                              const AuditContext& context);

}  // namespace dynid
