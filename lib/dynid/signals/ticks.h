#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Whole ticks of a regular clock, counted row by row over a stretch of rows without a gap. Numbers
/// start at 0 and grow by at least one a row.

/// From the stamps alone: a first-order phase-locked loop,
///   n_k = max(1, round((t_k - phase_{k-1}) / step)),
/// the phase following the stamps with gain 0.1, so that jitter does not count and drift does.
/// \param time [N] s, not decreasing
/// \param step s
Eigen::VectorXd ticksFromStamps(const Eigen::Ref<const Eigen::VectorXd>& time, double step);

/// From the position increments where the robot certainly moves (elapsedByMotion rounded, with the
/// slopes taken over the ticks of the round before, up to four rounds), from the stamps elsewhere;
/// a tick lost or won there shows in the stamps of the hundred rows on either side and is mended.
/// \param Q [N,n] positions, held rows already dropped
/// \param noise [n] as of incrementNoise
/// \param step s, the tick
/// \param fractions if not null: receives elapsed minus counted ticks of each certain row
Eigen::VectorXd ticksFromMotion(const Eigen::Ref<const Eigen::VectorXd>& time,
                                const Eigen::Ref<const Eigen::MatrixXd>& Q,
                                const Eigen::Ref<const Eigen::VectorXd>& noise,
                                double step,
                                std::vector<double>* fractions = nullptr);

}  // namespace dynid
