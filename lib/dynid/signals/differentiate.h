#pragma once

#include <Eigen/Core>

namespace dynid {

/// First and second derivative of every column by seven-point central differences of order 6:
///
///   x'_k = [ 45 (x_{k+1} - x_{k-1}) - 9 (x_{k+2} - x_{k-2}) + (x_{k+3} - x_{k-3}) ] / (60 dt)
///   x''_k = [ 2 (x_{k+3} + x_{k-3}) - 27 (x_{k+2} + x_{k-2})
///             + 270 (x_{k+1} + x_{k-1}) - 490 x_k ] / (180 dt^2)
///
/// Their transfer functions are j w (1 - (w dt)^6 / 140 + ...), 0.1 % too small at 0.115 of the
/// sampling rate, and -w^2 (1 - (w dt)^6 / 560 + ...). For the three samples at each end the
/// one-sided formulas on the outermost seven points are used. Polynomials of degree 6 are
/// differentiated exactly. With fewer than seven rows the polynomial through all of them is
/// differentiated.
/// @param X [N,c]
/// @param dt [s], positive
/// @param first, second [N,c] results
/// @throws std::invalid_argument unless dt is positive and the shapes agree
void differentiate(const Eigen::Ref<const Eigen::MatrixXd>& X,
                   double dt,
                   Eigen::Ref<Eigen::MatrixXd> first,
                   Eigen::Ref<Eigen::MatrixXd> second);

/// The first derivative only. [N,c]
Eigen::MatrixXd firstDerivative(const Eigen::Ref<const Eigen::MatrixXd>& X, double dt);

}  // namespace dynid
