#pragma once

#include <Eigen/Core>

namespace dynid {

/// Accelerations [2 x columns] (rad/s^2 or m/s^2) at the first and the last row of positions
/// without gaps, from a polynomial of fourth degree over one period of the cut-off. An acceleration
/// a with the standard deviation s becomes a - (2 s)^2 / a, or 0 if |a| < 2 s. It is 0 as well
/// - if half the period gives another acceleration: the motion is no polynomial there, as where a
///   controller is switched on;
/// - if the joint rests in the quarter period at the end, where a later motion would dominate the
///   polynomial.
/// @param q           [N x columns] rad or m
/// @param dt          [s]
/// @param cutoff_hz   of the filter that will continue the positions
/// @param still_speed [columns] rad/s or m/s: below it a joint is at rest; none (another size): all
///     accelerations are 0
Eigen::MatrixXd endAccelerations(const Eigen::Ref<const Eigen::MatrixXd>& q,
                                 double dt,
                                 double cutoff_hz,
                                 const Eigen::VectorXd& still_speed);

/// The rows with `reach` rows before and after them: reflected about the first and last row, but
/// with the same acceleration on both sides of it.
Eigen::MatrixXd continued(const Eigen::Ref<const Eigen::MatrixXd>& q,
                          Eigen::Index reach,
                          const Eigen::MatrixXd& accelerations,
                          double dt);

}  // namespace dynid
