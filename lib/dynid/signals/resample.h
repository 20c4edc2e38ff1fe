#pragma once

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// Values at the times `at` of the not-a-knot cubic spline through (t_k, Y_k), column by column.
/// Cubic polynomials are reproduced. Outside [t_0, t_last] the outermost cubics are continued. The
/// influence of a knot decays by a factor of 0.27 per knot, so windows with a margin of 30 knots
/// agree with the whole log to 1e-16.
/// @param t [N] strictly increasing, N >= 1 (below four knots: the polynomial through them)
/// @param Y [N,c]
/// @param at [M] in any order
/// @returns [M,c]
/// @throws std::invalid_argument for wrong shapes or knots that are not increasing
Eigen::MatrixXd splineAt(const Eigen::Ref<const Eigen::VectorXd>& t,
                         const Eigen::Ref<const Eigen::MatrixXd>& Y,
                         const Eigen::Ref<const Eigen::VectorXd>& at);

/// Indices of the knots that equal the times up to rounding; empty if some time is between two
/// knots.
std::optional<std::vector<Eigen::Index>> knotsAt(const Eigen::Ref<const Eigen::VectorXd>& t,
                                                 const Eigen::Ref<const Eigen::VectorXd>& at);

}  // namespace dynid
