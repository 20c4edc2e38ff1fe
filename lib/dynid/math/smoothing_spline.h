#pragma once

#include "dynid/math/uniform_spline.h"

namespace dynid {

/// Coefficients [numCoefficients,c] of the penalised least-squares fit
///     min over c  sum_k (y_k - x(t_k))^2 + penalty int (x'''')^2 dt + ridge |c|^2
/// for each column; the integral is that over the range of the spline. The ridge (1e-13 of the
/// largest diagonal entry of the normal equations without penalty) matters only for coefficients
/// that neither samples nor penalty determine.
/// @param times    [N] s
/// @param values   [N,c]
/// @param penalty  >= 0
Eigen::MatrixXd fitSmoothSpline(const UniformSpline& spline,
                                const Eigen::Ref<const Eigen::VectorXd>& times,
                                const Eigen::Ref<const Eigen::MatrixXd>& values,
                                double penalty);

/// The penalty for which fitSmoothSpline has the gain 1 / (1 + (f / cutoff_hz)^8) at frequency f,
/// that of a Butterworth low-pass of order 4 applied forward and backward. Samples are in steps of
/// `dt` [s]; with four knots per period of the cut-off the gain is exact to 0.015.
double penaltyOfCutoff(double cutoff_hz, double dt);

}  // namespace dynid
