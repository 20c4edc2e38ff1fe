#pragma once

#include <Eigen/Core>

#include <optional>

namespace dynid {

/// The period of a motion [s]: the smallest lag l at which position and speed of all joints, each
/// divided by its standard deviation, repeat up to a fraction of their power,
///
///     d(l) = mean over joints and samples of (x(t + l) - x(t))^2 / 2  <  0.15,
///
/// where l is a local minimum of d and at least a third of the motion is left to compare. The
/// threshold 0.15 separates repetitions of a controller with tracking errors from motions that are
/// only similar: d falls below 0.05 on recorded periodic excitations and stays above 0.3 on other
/// recorded motions.
///
/// @param position  [samples x joints] at a constant interval, rad or m; joints at standstill are
///     ignored
/// @param dt        [s] interval, > 0
/// @param threads   the result does not depend on it
/// @returns empty if no joint moves or the motion does not repeat
std::optional<double> motionPeriod(const Eigen::Ref<const Eigen::MatrixXd>& position,
                                   double dt,
                                   int threads = 1);

}  // namespace dynid
