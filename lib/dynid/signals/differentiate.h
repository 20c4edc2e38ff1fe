#pragma once

#include <Eigen/Core>

namespace dynid {

/// First derivative of every column, seven-point central differences of order 6:
///   x'_k = [ 45 (x_{k+1} - x_{k-1}) - 9 (x_{k+2} - x_{k-2}) + (x_{k+3} - x_{k-3}) ] / (60 dt),
/// transfer function j w (1 - (w dt)^6 / 140 + ...): 0.1 % low at 0.115 of the sampling rate.
/// The three samples at each end use the same seven points one-sided. Polynomials of degree 6 are
/// exact. Fewer than seven rows: the polynomial through all of them; one row: zero.
/// \param X [N,c]
/// \param dt s, positive
/// \returns [N,c]
/// \throws std::invalid_argument unless dt is positive
Eigen::MatrixXd firstDerivative(const Eigen::Ref<const Eigen::MatrixXd>& X, double dt);

/// Second derivative of every column,
///   x''_k = [ 2 (x_{k+3} + x_{k-3}) - 27 (x_{k+2} + x_{k-2})
///             + 270 (x_{k+1} + x_{k-1}) - 490 x_k ] / (180 dt^2),
/// transfer function -w^2 (1 - (w dt)^6 / 560 + ...). Ends as above.
Eigen::MatrixXd secondDerivative(const Eigen::Ref<const Eigen::MatrixXd>& X, double dt);

}  // namespace dynid
