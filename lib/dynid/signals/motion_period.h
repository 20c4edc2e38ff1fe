#pragma once

#include <Eigen/Core>

#include <optional>

namespace dynid {

/// The time after which a motion repeats [s]: the smallest lag l at which position and speed of all
/// joints, each in units of its standard deviation, repeat to a part of their power,
///
///     d(l) = mean over joints and samples of (x(t + l) - x(t))^2 / 2  <  0.15,
///
/// at a local minimum of d and with at least a third of the motion left to compare. 0.15 tells the
/// repetitions of a controller with following errors from motions that only resemble each other; on
/// recorded periodic excitations d falls below 0.05, on other recorded motions it stays above 0.3.
///
/// @param position  [samples x joints] at a constant interval; joints that stand still are left out
/// @param dt        [s] interval, above zero
/// @returns nothing where no joint moves or the motion does not repeat
std::optional<double> motionPeriod(const Eigen::Ref<const Eigen::MatrixXd>& position, double dt);

}  // namespace dynid
