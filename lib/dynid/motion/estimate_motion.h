#pragma once

#include "dynid/math/uniform_spline.h"
#include "dynid/motion/effort_sensitivity.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// One uninterrupted recording.
struct MotionRecord {
  Eigen::VectorXd time;       ///< [N] s, equal steps
  Eigen::MatrixXd q, effort;  ///< [N,n] rad or m, N m or N, joint side
};

/// Settings of estimateMotion.
struct MotionOptions {
  /// [n] rad or m, > 0: accuracy of the position sensors, not their resolution. Three times too
  /// large costs a tenth of the accuracy, three times too small more than half of it.
  Eigen::VectorXd position_std_dev;
  /// Knots per second that the search begins with and may not exceed. Begin lower for slower
  /// robots.
  double first_knot_rate = 8.0, highest_knot_rate = 128.0;
  /// [n] rad/s or m/s: effort rows of joints slower than this are left out, because friction is not
  /// a function of speed there.
  Eigen::VectorXd slowest_speed;
  /// Residuals beyond so many standard deviations count linearly (Huber); infinity: none does.
  double huber = 3.0;
  /// Largest coefficient of the first-order autoregression that whitens the efforts, [0, 1).
  double whitening_cap = 0.8;
  /// s at both ends of a record whose efforts are left out: the spline is free there.
  double end_s = 0.5;
  int max_iterations = 40;  ///< of all levels together
  /// The splines of the positions alone and generalised least squares: the start, and nothing else.
  bool positions_only = false;
};

/// What estimateMotion found.
struct MotionEstimate {
  std::vector<UniformSpline> splines;         ///< one per record
  std::vector<Eigen::MatrixXd> coefficients;  ///< the same, [numCoefficients, n]
  Eigen::VectorXd theta;                      ///< parameters, as EffortSensitivity orders them
  Eigen::MatrixXd covariance;                 ///< of theta, with the motion unknown
  Eigen::VectorXd effort_std_dev;             ///< [n] of the whitened efforts
  Eigen::VectorXd whitening;                  ///< [n] coefficient of the autoregression
  /// [n] root mean square of the position residuals, corrected for the freedom of the splines,
  /// relative to the accuracy that was given; far from 1: that accuracy is wrong.
  Eigen::VectorXd position_ratio;
  double knot_rate = 0.0;  ///< per second
  int iterations = 0;
  bool converged = false;
  std::string reason;  ///< one sentence, where it did not converge
};

/// Motion and parameters that together make positions and efforts most likely:
///
///     min over splines q(t) and theta
///       sum ((q_measured - q(t)) / s_q)^2 + sum rho((L (tau_measured - tau(q, dq, ddq, theta)) /
///       s_tau)^2)
///
/// where the motion of every joint is a quintic spline, L whitens efforts by a first-order
/// autoregression and s_tau is estimated (a fixed one lets errors of the friction model bend the
/// motion). Gauss-Newton with halved steps on the banded normal equations; theta by Schur
/// complement. It begins with the splines of the positions alone and generalised least squares, and
/// doubles the number of knots until neither the residual of
/// the efforts nor that of the positions, corrected by leverage, falls any further: without this
/// continuation it converges to wrong motions.
///
/// @throws std::invalid_argument on shapes and settings
MotionEstimate estimateMotion(const EffortSensitivity& model,
                              const std::vector<MotionRecord>& records,
                              const MotionOptions& options);

}  // namespace dynid
