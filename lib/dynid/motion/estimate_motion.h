#pragma once

#include "dynid/math/uniform_spline.h"
#include "dynid/motion/effort_sensitivity.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// One recording without gaps.
struct MotionRecord {
  Eigen::VectorXd time;       ///< [N] s, equal steps
  Eigen::MatrixXd q, effort;  ///< [N,n] rad or m, N m or N, joint side
};

/// Settings of estimateMotion.
struct MotionOptions {
  /// [n] rad or m, > 0: accuracy of the position sensors, not their resolution. A value three times
  /// too large costs a tenth of the accuracy of the result, one three times too small more than
  /// half.
  Eigen::VectorXd position_std_dev;
  /// Knots per second: initial value and maximum. Use a lower initial value for slower robots.
  double first_knot_rate = 8.0, highest_knot_rate = 128.0;
  /// [n] rad/s or m/s: effort rows of joints slower than this are left out, because friction is
  /// then not a function of speed.
  Eigen::VectorXd slowest_speed;
  /// Residuals above this number of standard deviations count linearly (Huber); infinity: never.
  double huber = 3.0;
  /// Largest coefficient of the first-order autoregression that whitens the efforts, [0, 1).
  double whitening_cap = 0.8;
  /// [s] Efforts this close to the ends of a record are left out: the spline is poorly determined
  /// there.
  double end_s = 0.5;
  int max_iterations = 40;  ///< total over all levels
  /// Only the initial estimate: splines of the positions, and generalised least squares.
  bool positions_only = false;
};

/// Result of estimateMotion.
struct MotionEstimate {
  std::vector<UniformSpline> splines;         ///< one per record
  std::vector<Eigen::MatrixXd> coefficients;  ///< per record [numCoefficients, n]
  Eigen::VectorXd theta;                      ///< parameters in the order of EffortSensitivity
  Eigen::MatrixXd covariance;                 ///< of theta, for unknown motion
  Eigen::VectorXd effort_std_dev;             ///< [n] of the whitened efforts
  Eigen::VectorXd whitening;                  ///< [n] coefficient of the autoregression
  /// [n] root mean square of the position residuals, corrected for the degrees of freedom of the
  /// splines, relative to the given accuracy. If it is far from 1, the given accuracy is wrong.
  Eigen::VectorXd position_ratio;
  double knot_rate = 0.0;  ///< knots per second
  int iterations = 0;
  bool converged = false;
  std::string reason;  ///< one sentence, if it did not converge
};

/// Estimates motion and parameters that together maximise the likelihood of positions and efforts:
///
///     min over splines q(t) and theta
///       sum ((q_measured - q(t)) / s_q)^2
///       + sum rho((L (tau_measured - tau(q, dq, ddq, theta)) / s_tau)^2)
///
/// The motion of every joint is a quintic spline, L whitens the efforts by a first-order
/// autoregression, rho is Huber's function, and s_tau is estimated (with a fixed value, errors of
/// the friction model would distort the motion). The method is Gauss-Newton with step halving on
/// the banded normal equations; theta follows from the Schur complement.
///
/// It starts with splines of the positions alone and generalised least squares, and doubles the
/// number of knots until neither the residual of the efforts nor that of the positions, corrected
/// by leverage, decreases further. Without this continuation it converges to wrong motions.
///
/// @throws std::invalid_argument for invalid shapes and settings
MotionEstimate estimateMotion(const EffortSensitivity& model,
                              const std::vector<MotionRecord>& records,
                              const MotionOptions& options);

}  // namespace dynid
