#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Whole ticks of a regular clock, counted row by row over a stretch of rows without gaps. They
/// start at 0 and increase by at least one per row.

/// Ticks from the stamps only, by a first-order phase-locked loop:
///   n_k = max(1, round((t_k - phase_{k-1}) / step)).
/// The phase follows the stamps with gain 0.1, which suppresses jitter and follows drift.
///
/// Where rows share stamps of a coarse resolution `width`, a stamp is up to width / 2 off although
/// no tick was lost. If the stamps minus one tick per row stay within width + step, none was.
/// Otherwise ticks are added beyond that range only,
///   n_k = max(1, 1 + ceil((t_k - phase_{k-1} - step - width / 2 - 0.4 step) / step)),
/// and the gain is 0.03 (step / width)^2, so that the phase does not follow the steps of the
/// stamps.
/// @param time [N] s, not decreasing
/// @param step [s]
/// @param width [s] distance between coarse stamps; 0: the stamps are finer than the step
Eigen::VectorXd ticksFromStamps(const Eigen::Ref<const Eigen::VectorXd>& time,
                                double step,
                                double width = 0.0);

/// Ticks from the position increments where the robot certainly moves, and from the stamps
/// elsewhere. The increments are elapsedByMotion, rounded, with slopes over the ticks of the
/// iteration before; up to four iterations. A tick lost or gained while the robot does not move is
/// detected from the stamps of the hundred rows on both sides and corrected.
/// @param Q [N,n] positions without held rows
/// @param noise [n] from incrementNoise
/// @param step [s] tick
/// @param fractions if not null: receives elapsed minus counted ticks of each row in which the
/// robot certainly moves
Eigen::VectorXd ticksFromMotion(const Eigen::Ref<const Eigen::VectorXd>& time,
                                const Eigen::Ref<const Eigen::MatrixXd>& Q,
                                const Eigen::Ref<const Eigen::VectorXd>& noise,
                                double step,
                                std::vector<double>* fractions = nullptr,
                                int threads = 1);

}  // namespace dynid
