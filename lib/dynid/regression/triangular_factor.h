#pragma once

#include <Eigen/Core>

namespace dynid {

/// The R of a QR decomposition, gathered row block by row block in constant memory: R^T R = X^T X
/// for all rows added so far, with the accuracy of Householder on the whole stack (Golub, Van Loan,
/// "Matrix Computations", section 6.5.4). The last column is the right-hand side by convention of
/// the callers.
class TriangularFactor {
 public:
  TriangularFactor() = default;
  explicit TriangularFactor(Eigen::Index columns) : R_(0, columns) {}

  /// The factor of `rows` rows that have the same Gram matrix as X (a factor times a change of
  /// columns, a factor read from a file).
  static TriangularFactor fromRows(const Eigen::Ref<const Eigen::MatrixXd>& X, double rows);

  /// The same where X is already an R of this class (bit for bit what it was).
  static TriangularFactor fromUpper(Eigen::MatrixXd R, double rows);

  /// Adds the rows X [rows x columns], all finite. @throws std::invalid_argument for another number
  /// of columns.
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X);
  /// The same where only `rows` of them count and the others are zero.
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X, double rows);
  /// Adds what another factor holds. @throws std::invalid_argument for another number of columns.
  void merge(const TriangularFactor& other);

  /// Multiplies the last column of all rows added so far (the effort in other units).
  void scaleLastColumn(double factor) { R_.rightCols<1>() *= factor; }

  /// Upper triangular [columns x columns]; [0 x columns] while nothing was added: of the many
  /// blocks of a robot with many joints most may be empty.
  const Eigen::MatrixXd& R() const { return R_; }
  /// The same with zeros for rows that are not there.
  Eigen::MatrixXd squareR() const {
    return R_.rows() > 0 ? R_ : Eigen::MatrixXd::Zero(columns(), columns());
  }
  double rows() const { return rows_; }
  Eigen::Index columns() const { return R_.cols(); }

 private:
  Eigen::MatrixXd R_;
  double rows_ = 0.0;
};

/// R of a stack of rows, upper triangular [columns x columns] (zero rows below where there are
/// fewer rows than columns).
Eigen::MatrixXd triangularize(const Eigen::Ref<const Eigen::MatrixXd>& stack);

}  // namespace dynid
