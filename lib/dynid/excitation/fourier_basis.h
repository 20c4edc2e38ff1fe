#pragma once

#include "dynid/logs/trajectory_file.h"

#include <Eigen/Core>

namespace dynid {

/// Finite Fourier series of the joint positions, linear in its coefficients. These are in a matrix
/// X [1 + 2 L x joints], one column per joint:
///
///     X(:, j) = (offset, a_1 ... a_L, b_1 ... b_L),   q = B_q X,  dq = B_dq X,  ddq = B_ddq X ...
///     q(t) = offset + sum_l [ a_l/(w l) sin(w l t) - b_l/(w l) cos(w l t) ],   w = 2 pi / period
///
/// Source: Swevers, Ganseman, Tukel, De Schutter, Van Brussel 1997.
struct FourierBasis {
  Eigen::MatrixXd q, dq, ddq, dddq;  ///< [times x 1 + 2 L]
};

/// Values and derivatives of the basis functions.
/// @param times  [s] since the start of a period
/// @throws std::invalid_argument unless harmonics >= 1 and period_s > 0
FourierBasis fourierBasis(int harmonics, double period_s, const Eigen::VectorXd& times);

/// `count` equally spaced times of one period, starting at 0 [s].
Eigen::VectorXd periodGrid(double period_s, int count);

/// Samples of a motion on the joint side, [samples x joints].
struct MotionSamples {
  Eigen::MatrixXd q, dq, ddq;
};

/// One period, with 200 samples per period of the highest harmonic; used for efforts, scores and
/// forecasts.
MotionSamples denseSamples(const Eigen::MatrixXd& X, double period_s);

/// The series as it is written to a trajectory file; `t0_s` is 0.
FourierSeries seriesOf(const Eigen::MatrixXd& X, double period_s);

/// The matrix X of a series.
Eigen::MatrixXd coefficientsOf(const FourierSeries& series);

/// Factor between the largest absolute value of a trigonometric polynomial of degree L and its
/// largest absolute value on `count` equally spaced points of a period:
///
///     max |f| <= max_i |f(t_i)| / cos(pi L / count),   count > 2 L
///
/// Source: Ehlich and Zeller 1964 (from Bernstein's inequality between neighbouring points).
double gridToPeak(int harmonics, int count);

}  // namespace dynid
