#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// A system with linear constraints on its accelerations,
///
///     M ddq + bias = tau + A^T lambda,     A ddq = b
///
/// i.e. [M A^T; A 0][ddq; -lambda] = [tau - bias; b]. The rows of A come from a closed loop (its
/// Jacobian, b = -dA/dt dq) or from a wheel that rolls without slip. lambda are the constraint
/// forces.
struct ConstrainedSystem {
  Eigen::MatrixXd M;     ///< [joints x joints] symmetric positive definite
  Eigen::VectorXd bias;  ///< [joints] Coriolis, centrifugal and gravity efforts
  Eigen::VectorXd tau;   ///< [joints] applied efforts
  Eigen::MatrixXd A;     ///< [constraints x joints]; may contain dependent rows
  Eigen::VectorXd b;     ///< [constraints]

  /// @throws std::invalid_argument with the name of the member whose size does not fit
  void check() const;
};

/// Result of a solver of constrained motion.
struct ConstrainedMotion {
  bool solved = false;
  std::string reason;      ///< why it is not solved, or a note on dependent constraints
  Eigen::VectorXd ddq;     ///< [joints]; NaN if not solved
  Eigen::VectorXd lambda;  ///< [constraints]; for dependent rows only A^T lambda is unique
  int rank = 0;            ///< of A
};

/// Rows and singular values below this fraction of the largest count as dependent. The value is
/// well above the rounding errors of a loop's Jacobian and well below that of a mechanism close to
/// a singularity.
inline constexpr double kConstraintRank = 1e-10;
/// A dependent row whose right side deviates by more than this fraction contradicts the other rows.
inline constexpr double kConstraintContradiction = 1e-6;

/// The constraints without their dependent rows.
struct IndependentConstraints {
  bool consistent = true;
  std::string reason;     ///< names the contradicting or the removed rows
  std::vector<int> kept;  ///< rows of A, ascending
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};
IndependentConstraints independentConstraints(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// An unsolved result with its reason.
ConstrainedMotion notSolved(const ConstrainedSystem& system, const std::string& reason);
/// Extends the multipliers of the kept rows to all rows, with zeros for the removed ones.
Eigen::VectorXd allMultipliers(const IndependentConstraints& constraints,
                               const Eigen::VectorXd& lambda,
                               Eigen::Index rows);

inline constexpr const char* kMassMatrixReason =
    "the mass matrix is not positive definite: no real robot has these parameters";

}  // namespace dynid
