#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// A system under linear constraints on its accelerations,
///
///     M ddq + bias = tau + A^T lambda,     A ddq = b
///
/// i.e. [M A^T; A 0][ddq; -lambda] = [tau - bias; b]. A are the rows of a closed loop (its
/// Jacobian, b = -dA/dt dq) or of a wheel that does not slip; lambda are the forces that hold them.
struct ConstrainedSystem {
  Eigen::MatrixXd M;     ///< [joints x joints] symmetric positive definite
  Eigen::VectorXd bias;  ///< [joints] velocity coupling and gravity
  Eigen::VectorXd tau;   ///< [joints] applied efforts
  Eigen::MatrixXd A;     ///< [constraints x joints]; may hold dependent rows
  Eigen::VectorXd b;     ///< [constraints]

  /// @throws std::invalid_argument naming the member whose size does not fit.
  void check() const;
};

struct ConstrainedMotion {
  bool solved = false;
  std::string reason;      ///< why not; or what was noticed (dependent constraints)
  Eigen::VectorXd ddq;     ///< [joints]; NaN where not solved
  Eigen::VectorXd lambda;  ///< [constraints]; of dependent rows only A^T lambda is determined
  int rank = 0;            ///< of A
};

/// Rows and singular values below this part of the largest are taken for dependent: well above the
/// rounding of a loop's Jacobian, well below a mechanism that is only close to singular.
inline constexpr double kConstraintRank = 1e-10;
/// A dependent row whose right side is off by more than this part contradicts the others.
inline constexpr double kConstraintContradiction = 1e-6;

/// The constraint without its dependent rows.
struct IndependentConstraints {
  bool consistent = true;
  std::string reason;     ///< names the rows that contradict, or those left out
  std::vector<int> kept;  ///< rows of A, ascending
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};
IndependentConstraints independentConstraints(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// A solution that was not found, with its reason.
ConstrainedMotion notSolved(const ConstrainedSystem& system, const std::string& reason);
/// Spreads the multipliers of the kept rows over all rows (zero for those left out).
Eigen::VectorXd allMultipliers(const IndependentConstraints& constraints,
                               const Eigen::VectorXd& lambda,
                               Eigen::Index rows);

inline constexpr const char* kMassMatrixReason =
    "the mass matrix is not positive definite: no real robot has these parameters";

}  // namespace dynid
