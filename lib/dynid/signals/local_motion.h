#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

namespace dynid {

/// Functions that use neighbouring rows to judge the clock. Motion is smooth in true time, so a
/// wrong stamp appears as a kink in all joints at once. The result at a row depends on at most
/// `half` rows on each side.

/// Increment of each joint per row, from the chord over 2 `half` rows: (q_{k+half} - q_{k-half}) /
/// (2 half); shorter chords at the ends. [N,n]
Eigen::MatrixXd chordSlopes(const Eigen::Ref<const Eigen::MatrixXd>& Q, Eigen::Index half);

/// Standard deviation of a joint's increment about the chord, over the fifth of the rows in which
/// the joint is slowest. It contains encoder noise and quantisation but no timing errors. At least
/// 1e-9 of the joint's range. [n]
Eigen::VectorXd incrementNoise(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                               const Eigen::Ref<const Eigen::MatrixXd>& slopes,
                               int threads = 1);

/// Smallest usual step of each joint: the 1 % quantile of its nonzero increments, which is not
/// smaller than the encoder's step. At least 1e-12 of the joint's range. [n]
Eigen::VectorXd incrementResolution(const Eigen::Ref<const Eigen::MatrixXd>& Q, int threads = 1);

/// Speed above which a logged velocity [N, rad/s or m/s] shows motion: three times its resolution
/// (incrementResolution). At rest, a coded velocity without a zero is half a step off.
double leastShownSpeed(const Eigen::Ref<const Eigen::VectorXd>& velocity);

/// sum_j (slope_kj / noise_j)^2; above kCertain the robot certainly moves at row k. [N]
Eigen::VectorXd motionInformation(const Eigen::Ref<const Eigen::MatrixXd>& slopes,
                                  const Eigen::Ref<const Eigen::VectorXd>& noise);
inline constexpr double kCertain = 100.0;

/// Slope dq/dx at every row of the parabola fitted to the rows within `half`. [N,n]
/// @param x [N] strictly increasing
Eigen::MatrixXd parabolaSlopes(const Eigen::Ref<const Eigen::VectorXd>& x,
                               const Eigen::Ref<const Eigen::MatrixXd>& Q,
                               Eigen::Index half,
                               int threads = 1);

/// Elapsed x from row k to row k + 1 according to the motion,
///   s_k = sum_j w_j v_j (q_j,k+1 - q_j,k) / sum_j w_j v_j^2,  w = 1 / noise^2,
/// where v is the mean of the two slopes; NaN where the robot does not certainly move. [N-1]
Eigen::VectorXd elapsedByMotion(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                                const Eigen::Ref<const Eigen::MatrixXd>& slopes,
                                const Eigen::Ref<const Eigen::VectorXd>& noise,
                                int threads = 1);

/// Roughness of the motion for the given times: mean over joints of 1/2 log of the variance of q_k
/// about the cubic through its four neighbours in time (without the largest hundredth), over the
/// rows in which the robot certainly moves. Differences between two clocks are logarithms of noise
/// ratios. NaN if there are fewer than 16 such rows.
double motionRoughness(const Eigen::Ref<const Eigen::VectorXd>& time,
                       const Eigen::Ref<const Eigen::MatrixXd>& Q,
                       const Eigen::Ref<const Eigen::VectorXd>& noise,
                       int threads = 1);

}  // namespace dynid
