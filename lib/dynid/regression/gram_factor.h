#pragma once

#include "dynid/kernels/scratch.h"
#include "dynid/regression/gram_sums.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// The triangular factor of a tall stack of rows from a preconditioned Gram matrix. R0 is the
/// factor of a sample of the rows, or of `held`. The columns of X R0^-1 are nearly orthonormal, so
/// the Cholesky factor of their Gram matrix is well conditioned; multiplied by R0 it gives R. The
/// result is as accurate as Householder reflections on all rows, at the speed of a matrix product.
/// Source of the idea: "Cholesky QR", Yamamoto, Nakatsukasa, Yanagisawa, Fukaya 2015, ETNA 44; here
/// R0 comes from a sample of the rows or is the factor of similar rows.
///
/// @param held  upper triangular [columns x columns], the factor of further rows; empty or zero:
///     none
/// @param X     [rows x columns], finite
/// @param similar  [columns x columns] R0: `held`, or the factor of many rows of the same kind;
///     nullptr: a sample of the rows gives R0. It changes the result by rounding only.
/// @returns R, upper triangular, with R^T R = held^T held + X^T X. Empty if neither R0 nor the Gram
///     matrix of a first pass is a sufficient preconditioner; the caller then uses Householder
///     reflections on all rows.
std::optional<Eigen::MatrixXd> gramFactor(const Eigen::MatrixXd& held,
                                          const Eigen::Ref<const Eigen::MatrixXd>& X,
                                          const Eigen::MatrixXd* similar = nullptr);

/// The same for rows that arrive in batches and are not stored.
class BatchedGram {
 public:
  /// @param sample  rows that are representative of all rows to come
  explicit BatchedGram(const Eigen::Ref<const Eigen::MatrixXd>& sample);
  /// Adds the rows X.
  /// @param scratch  working memory; may be shared by all objects that add one after the other
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X, Scratch& scratch);
  /// R of all rows so far; empty if the sample was not representative.
  std::optional<Eigen::MatrixXd> factor() const;
  /// Removes all rows but keeps their Gram matrix as the new preconditioner; the caller then adds
  /// the same rows again.
  /// @returns false if the Gram matrix yields no preconditioner
  bool restart();
  /// Useful number of restarts: each resolves six more digits, and a double has sixteen.
  static constexpr int kRestarts = 3;

 private:
  /// @cond
  friend std::optional<Eigen::MatrixXd> gramFactor(const Eigen::MatrixXd&,
                                                   const Eigen::Ref<const Eigen::MatrixXd>&,
                                                   const Eigen::MatrixXd*);
  /// @endcond
  BatchedGram() = default;
  /// Sets R0 [columns x columns, upper triangular], with the columns in their given order.
  /// @param least_diagonal  a column whose diagonal entry is below this share of its norm counts as
  ///     dependent on those before it
  void setPreconditioner(const Eigen::MatrixXd& R0, double least_diagonal);
  /// The same with the columns reordered: nearly independent columns come first and need no
  /// substitution, which saves time.
  void arrangePreconditioner(const Eigen::MatrixXd& R0, double least_diagonal);
  /// Derives the members that follow from U_.
  /// @param norms  of the columns of U_
  /// @param plain  number of leading columns that need no substitution
  void finishPreconditioner(const Eigen::VectorXd& norms,
                            double least_diagonal,
                            Eigen::Index plain);
  /// Adds rows whose first `zeros` columns are zero; for columns in their given order.
  /// @param X  [rows x columns - zeros] the other columns
  void addTrailing(const Eigen::Ref<const Eigen::MatrixXd>& X,
                   Eigen::Index zeros,
                   Scratch& scratch);
  /// Gram matrix of X P U^-1, upper triangle.
  Eigen::MatrixXd gram() const;
  /// R of all rows in the original column order, from the factor of Z = X P U^-1.
  Eigen::MatrixXd inOriginalOrder(const Eigen::MatrixXd& R) const;

  // Dependent columns are only scaled: dividing by their rounding remainders would amplify errors.
  Eigen::MatrixXd U_;
  std::vector<int> order_;  // permutation P
  bool in_order_ = true;    // P is the identity
  std::vector<bool> dependent_;
  GramSums gram_;             // Gram matrix of X P U^-1, without the rows of `trailing_`
  Eigen::MatrixXd trailing_;  // that of rows with leading zeros; empty: none
};

}  // namespace dynid
