#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace dynid {

/// Normal equations of many unknowns c of which only neighbours meet (coefficients of a spline) and
/// a few unknowns theta that meet all of them:
///
///     [ H  B ] [ c     ]   [ g_c     ]
///     [ B' D ] [ theta ] = [ g_theta ]
///
/// H is a band matrix. It is factored once (sparse Cholesky in its natural order, which has no fill
/// outside the band); theta follows from the Schur complement S = D - B' H^-1 B, whose inverse is
/// the covariance of theta with c unknown.
class BorderedBand {
 public:
  /// @param size       of c
  /// @param bandwidth  largest distance of two unknowns of c that meet
  /// @param border     size of theta
  BorderedBand(Eigen::Index size, Eigen::Index bandwidth, Eigen::Index border);

  /// Adds J^T J and J^T r of some residuals that see the coefficients from `first` on and theta.
  /// @param J  [rows, width + border]
  void add(Eigen::Index first, const Eigen::MatrixXd& J, const Eigen::VectorXd& r);
  /// Adds to one entry of H, row >= column.
  void addToBand(Eigen::Index row, Eigen::Index column, double value) {
    band_(row - column, column) += value;
  }
  void addToGradient(Eigen::Index row, double value) { gradient_(row) += value; }

  /// @returns false where the equations are not positive definite
  bool factor();
  /// H^-1 and the Schur complement applied: the solution for a right side [size + border, k].
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  /// [size + border], c before theta
  const Eigen::VectorXd& gradient() const { return gradient_; }
  /// S^-1, [border,border].
  const Eigen::MatrixXd& borderCovariance() const { return covariance_; }

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  Eigen::Index size_, border_size_;
  Eigen::MatrixXd band_;  // [bandwidth + 1, size], column by column from the diagonal down
  Eigen::MatrixXd border_, corner_;
  Eigen::VectorXd gradient_;
  Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<Sparse::StorageIndex>> factor_;
  Eigen::MatrixXd solved_border_, covariance_;
};

}  // namespace dynid
