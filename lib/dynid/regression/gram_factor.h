#pragma once

#include "dynid/kernels/scratch.h"
#include "dynid/regression/gram_sums.h"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace dynid {

/// The factor of a tall stack by a preconditioned Gram matrix: R0 of some of the rows or of what is
/// held, the Gram matrix of X R0^-1, whose columns are nearly orthonormal, its Cholesky factor
/// times R0. As accurate as Householder on all rows, at the speed of a matrix product (the idea:
/// "Cholesky QR", Yamamoto, Nakatsukasa, Yanagisawa, Fukaya 2015, ETNA 44, with R0 from a sample of
/// rows).
///
/// @param held  upper triangular [columns x columns]: counts as more rows; empty or zero: none
/// @param X     [rows x columns], finite
/// @param more_of_the_same  what is held comes from as many rows of the same kind and is R0
/// @returns R, upper triangular, R^T R = held^T held + X^T X; nothing where neither R0 nor a first
///   Gram matrix of all stands for them (Householder on all is then the way)
std::optional<Eigen::MatrixXd> gramFactor(const Eigen::MatrixXd& held,
                                          const Eigen::Ref<const Eigen::MatrixXd>& X,
                                          bool more_of_the_same = false);

/// The same for rows that come in batches and are not kept.
class BatchedGram {
 public:
  /// @param sample  rows that stand for all that will come
  explicit BatchedGram(const Eigen::Ref<const Eigen::MatrixXd>& sample);
  /// Adds the rows X. @param scratch  shared by all that add in turn: its size is a batch's
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X, Scratch& scratch);
  /// R of all rows so far; nothing where the sample did not stand for them.
  std::optional<Eigen::MatrixXd> factor() const;
  /// Forgets the rows but for what they say about each other: when they are added once more, that
  /// stands for them. @returns false where it says nothing
  bool restart();
  /// Each restart sees six digits deeper into the rows: more are of no use.
  static constexpr int kRestarts = 3;

 private:
  friend std::optional<Eigen::MatrixXd> gramFactor(const Eigen::MatrixXd&,
                                                   const Eigen::Ref<const Eigen::MatrixXd>&,
                                                   bool);
  BatchedGram() = default;
  /// R0, upper triangular, as it is, for columns in their own order.
  /// @param least_diagonal  of a column's norm: with less on the diagonal it depends on those
  /// before
  void setPreconditioner(const Eigen::MatrixXd& R0, double least_diagonal);
  /// The same in an order that spares most columns the substitution: those that are nearly
  /// independent as they stand come first.
  void arrangePreconditioner(const Eigen::MatrixXd& R0, double least_diagonal);
  /// What goes with U_. @param norms  of its columns
  void finishPreconditioner(const Eigen::VectorXd& norms,
                            double least_diagonal,
                            Eigen::Index plain);
  /// R of all rows in the columns' own order, from that of Z = X P U^-1.
  Eigen::MatrixXd ownOrder(const Eigen::MatrixXd& R) const;

  Eigen::MatrixXd U_;       // dependent columns only scaled: what rounding left must not blow up
  std::vector<int> order_;  // of P
  bool in_order_ = true;    // P is none
  std::vector<bool> dependent_;
  GramSums gram_;  // of X P U^-1
};

}  // namespace dynid
