#pragma once

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// Values at `at` of the not-a-knot cubic spline through (t_k, Y_k), column by column; cubics are
/// reproduced. Outside [t_0, t_last] the end cubics go on. A knot's influence shrinks by 0.27 a
/// knot, so windows with 30 knots of margin agree with the whole to 1e-16.
/// \param t [N] strictly increasing, N >= 1 (below four knots: the polynomial through them)
/// \param Y [N,c]
/// \param at [M] in any order
/// \returns [M,c]
/// \throws std::invalid_argument on a mismatch of shapes or knots out of order
Eigen::MatrixXd splineAt(const Eigen::Ref<const Eigen::VectorXd>& t,
                         const Eigen::Ref<const Eigen::MatrixXd>& Y,
                         const Eigen::Ref<const Eigen::VectorXd>& at);

/// The knots that the times are, but for rounding; nothing where a time lies between two.
std::optional<std::vector<Eigen::Index>> knotsAt(const Eigen::Ref<const Eigen::VectorXd>& t,
                                                 const Eigen::Ref<const Eigen::VectorXd>& at);

}  // namespace dynid
