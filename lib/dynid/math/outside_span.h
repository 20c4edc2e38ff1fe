#pragma once

#include <Eigen/Core>

namespace dynid {

/// The vectors minus their projections on the span of `columns`: residuals of least squares.
/// Columns count as dependent below 1e-11 of the largest pivot, after scaling to unit norm.
/// @param vectors  [rows of columns x any number]
Eigen::MatrixXd outsideSpan(const Eigen::MatrixXd& columns, Eigen::MatrixXd vectors);

}  // namespace dynid
