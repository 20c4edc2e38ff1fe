#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

namespace dynid {

/// What neighbouring rows say about the clock: the motion is smooth in true time, so a wrong stamp
/// shows as a kink in all joints at once. Every function is local: a row sees at most `half` rows
/// on either side.

/// Increment of each joint a row from the chord over 2 `half` rows,
/// (q_{k+half} - q_{k-half}) / (2 half); shorter chords at the ends. [N,n]
Eigen::MatrixXd chordSlopes(const Eigen::Ref<const Eigen::MatrixXd>& Q, Eigen::Index half);

/// Standard deviation of a joint's increment about the chord in the fifth of the rows in which it
/// is slowest: encoder noise and quantisation, free of timing errors. At least 1e-9 of the joint's
/// range. [n]
Eigen::VectorXd incrementNoise(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                               const Eigen::Ref<const Eigen::MatrixXd>& slopes);

/// Smallest usual step of each joint, the 1 % quantile of its increments that are not zero: no less
/// than the encoder's step. At least 1e-12 of the joint's range. [n]
Eigen::VectorXd incrementResolution(const Eigen::Ref<const Eigen::MatrixXd>& Q);

/// sum_j (slope_kj / noise_j)^2: above kCertain the robot moves beyond doubt at row k. [N]
Eigen::VectorXd motionInformation(const Eigen::Ref<const Eigen::MatrixXd>& slopes,
                                  const Eigen::Ref<const Eigen::VectorXd>& noise);
inline constexpr double kCertain = 100.0;

/// Slope dq/dx at every row of the parabola fitted to the rows within `half`. x [N] strictly
/// increasing. [N,n]
Eigen::MatrixXd parabolaSlopes(const Eigen::Ref<const Eigen::VectorXd>& x,
                               const Eigen::Ref<const Eigen::MatrixXd>& Q,
                               Eigen::Index half);

/// Elapsed x from row k to row k + 1 as the motion sees it,
///   s_k = sum_j w_j v_j (q_j,k+1 - q_j,k) / sum_j w_j v_j^2,  w = 1 / noise^2,
/// v the mean of the two slopes; NaN where the robot does not certainly move. [N-1]
Eigen::VectorXd elapsedByMotion(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                                const Eigen::Ref<const Eigen::MatrixXd>& slopes,
                                const Eigen::Ref<const Eigen::VectorXd>& noise);

/// Roughness of the motion under the given times: mean over joints of 1/2 log of the variance of
/// q_k about the cubic through its four neighbours in time (the worst hundredth left out), over the
/// rows in which the robot certainly moves. Differences are log ratios of noise. NaN if fewer than
/// 16 such rows.
double motionRoughness(const Eigen::Ref<const Eigen::VectorXd>& time,
                       const Eigen::Ref<const Eigen::MatrixXd>& Q,
                       const Eigen::Ref<const Eigen::VectorXd>& noise);

}  // namespace dynid
