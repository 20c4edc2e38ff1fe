#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace dynid {

/// Normal equations of many unknowns c that are coupled only to their neighbours (coefficients of a
/// spline), and of a few unknowns theta that are coupled to all of them:
///
///     [ H  B ] [ c     ]   [ g_c     ]
///     [ B' D ] [ theta ] = [ g_theta ]
///
/// H is a band matrix. It is factored once (sparse Cholesky in natural order, without fill outside
/// the band). theta follows from the Schur complement S = D - B' H^-1 B, whose inverse is the
/// covariance of theta for unknown c.
class BorderedBand {
 public:
  /// @param size       number of unknowns c
  /// @param bandwidth  largest distance of two coupled unknowns of c
  /// @param border     number of unknowns theta
  BorderedBand(Eigen::Index size, Eigen::Index bandwidth, Eigen::Index border);

  /// Adds J^T J and J^T r of residuals that depend on theta and on the coefficients from `first`
  /// on.
  /// @param J  [rows, width + border]
  void add(Eigen::Index first, const Eigen::MatrixXd& J, const Eigen::VectorXd& r);
  /// Adds to one entry of H, row >= column.
  void addToBand(Eigen::Index row, Eigen::Index column, double value) {
    band_(row - column, column) += value;
  }
  void addToGradient(Eigen::Index row, double value) { gradient_(row) += value; }

  /// @returns false if the equations are not positive definite
  bool factor();
  /// The solution for the right sides [size + border, k].
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  /// [size + border], c before theta.
  const Eigen::VectorXd& gradient() const { return gradient_; }
  /// S^-1, [border,border].
  const Eigen::MatrixXd& borderCovariance() const { return covariance_; }

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  Eigen::Index size_, border_size_;
  Eigen::MatrixXd band_;  // [bandwidth + 1, size], each column from the diagonal downward
  Eigen::MatrixXd border_, corner_;
  Eigen::VectorXd gradient_;
  Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<Sparse::StorageIndex>> factor_;
  Eigen::MatrixXd solved_border_, covariance_;
};

}  // namespace dynid
