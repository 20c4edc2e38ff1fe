#pragma once

#include <Eigen/Core>

namespace dynid {

/// The R of a QR decomposition X = Q R, updated block of rows by block of rows in constant memory:
/// R^T R = X^T X for all rows added so far. It is as accurate as Householder reflections on the
/// whole stack (Golub, Van Loan, "Matrix Computations", section 6.5.4). By convention of the
/// callers the last column is the right-hand side.
class TriangularFactor {
 public:
  TriangularFactor() = default;
  /// @param columns  number of columns of the rows to be added
  explicit TriangularFactor(Eigen::Index columns) : R_(0, columns) {}

  /// The factor of X, where X has the same Gram matrix as `rows` original rows (a factor after a
  /// change of columns, or one read from a file).
  static TriangularFactor fromRows(const Eigen::Ref<const Eigen::MatrixXd>& X, double rows);

  /// The same for an X that is already an R of this class; its entries are kept bit for bit.
  static TriangularFactor fromUpper(Eigen::MatrixXd R, double rows);

  /// Adds the rows X [rows x columns], all finite.
  /// @throws std::invalid_argument if the number of columns differs
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X);
  /// The same for an X of which only `rows` rows are measured and the others are zero.
  /// @param similar  a factor of rows of the same kind, which saves time and changes the result by
  ///     rounding only; nullptr: none
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X,
           double rows,
           const TriangularFactor* similar = nullptr);
  /// Adds the rows of another factor.
  /// @throws std::invalid_argument if the number of columns differs
  void merge(const TriangularFactor& other);
  /// The same; takes the memory of the other if there are no rows yet.
  void merge(TriangularFactor&& other);

  /// Multiplies the last column of all rows added so far, for example to change the unit of the
  /// effort.
  void scaleLastColumn(double factor) { R_.rightCols<1>() *= factor; }

  /// Upper triangular [min(rows added, columns) x columns], without rows of zeros below. This saves
  /// memory: many blocks of a robot with many joints hold few rows. fromUpper and merge keep a
  /// square R.
  const Eigen::MatrixXd& R() const { return R_; }
  /// R with zero rows added up to [columns x columns].
  Eigen::MatrixXd squareR() const {
    Eigen::MatrixXd square = Eigen::MatrixXd::Zero(columns(), columns());
    square.topRows(R_.rows()) = R_;
    return square;
  }
  /// Number of rows added so far.
  double rows() const { return rows_; }
  Eigen::Index columns() const { return R_.cols(); }

 private:
  Eigen::MatrixXd R_;
  double rows_ = 0.0;
};

/// R of a stack of rows, upper triangular [columns x columns]. If there are fewer rows than
/// columns, the missing rows are zero.
Eigen::MatrixXd triangularize(const Eigen::Ref<const Eigen::MatrixXd>& stack);

}  // namespace dynid
