#pragma once

#include "dynid/diagnosis/hypothesis_score.h"

#include <Eigen/Core>

namespace dynid {

/// How well the inertials of the robot description, unchanged, explain the efforts.
struct DescribedScore {
  /// [channels] residual over the effort's variance; 0 for a joint at rest. Empty where a body of
  /// the description has no inertials.
  Eigen::VectorXd unexplained;
  /// [channels] of the effort over the torque of the described links, where friction and drive
  /// inertia are fitted beside it; 1 for a joint at rest.
  Eigen::VectorXd slope;
  /// sum over channels of joints that move of log max(unexplained, kDescribedFloor) [nat]
  double objective = 0.0;
  /// The same of the residual over the one without the described torque, at least `unexplained`:
  /// what friction explains by itself says nothing about the description [nat].
  double beside_friction = 0.0;

  bool known() const { return unexplained.size() > 0; }
};

/// Shares of the variance below this one count as equally well explained by a description: a wrong
/// hypothesis may compensate small errors of its inertials.
inline constexpr double kDescribedFloor = 0.05;
/// Share of the variance of an effort that a right description leaves at most.
inline constexpr double kExplainedByDescription = 0.1;

/// Fits only what a description does not hold, every channel c by itself:
///
///     min_x ||tau_c - Y_c pi_0 - F_c x||^2,
///
/// pi_0 the described inertials, x the viscous and Coulomb friction and the drive inertias (not
/// negative), offset and position effects of the channel. An offset of a quarter of the rms effort
/// counts as 5 % of the variance, because a free one would take gravity torque that a wrong factor
/// leaves. Nothing is cross-validated, because few numbers are fitted.
DescribedScore scoreDescribed(const ChannelColumns& columns,
                              const MotionStatistics& motion,
                              const EffortStatistics& effort,
                              const EffortAssignment& assignment);

/// How much better the description explains the corrected efforts [nat]: by how much `objective`
/// falls, and no more than `beside_friction`. Of an effort that was multiplied by a large number,
/// friction explains nearly all.
double describedGain(const DescribedScore& logged, const DescribedScore& corrected);

}  // namespace dynid
