#pragma once

#include "dynid/spatial/vectors.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix10d = Eigen::Matrix<double, 10, 10>;

/// The problem that the interior-point method solves. All its numbers are of the order of one:
///
///     min 1/2 ||A x - b||^2 + c0,  x = (svec Q_1, ..., svec Q_n, s_1, ..., s_p),
///     Q_k >= 0 (4x4),  s_j >= 0,  C x <= d;  row 0 of C is always the trace bound a^T x <= T.
struct ConicProblem {
  int bodies = 0;   ///< n
  int scalars = 0;  ///< p
  RowMajorMatrix A;
  Eigen::VectorXd b;
  double c0 = 0.0;
  Eigen::MatrixXd C;
  Eigen::VectorXd d;
  double floor = 0.5e-6;  ///< gaps are relative to max(f, floor)

  int size() const { return 10 * bodies + scalars; }
  /// Degree of the barrier: four per body, one per scalar and one per row of C.
  double degree() const { return 4.0 * bodies + scalars + static_cast<double>(d.size()); }
  double objective(const Eigen::VectorXd& x) const { return 0.5 * (A * x - b).squaredNorm() + c0; }
  double relativeTo(double f) const { return f > floor ? f : floor; }
};

/// svec of the identity for every body, one for every scalar: the centre of the cone, and the
/// gradient of the trace.
Eigen::VectorXd coneIdentity(int bodies, int scalars);

/// The finest division of the columns such that no row has entries in two sets, with the ten
/// columns of every body in one set.
/// @param rows  [rows x 10 bodies + others]
std::vector<std::vector<Eigen::Index>> independentVariables(
    const Eigen::Ref<const Eigen::MatrixXd>& rows, int bodies);

/// The 10x10 matrix of svec(Q) -> svec(G Q G^T).
Matrix10d congruence(const Eigen::Matrix4d& G);

/// Smallest eigenvalue over all 4x4 blocks and scalars of x; +infinity if there are none.
double smallestConeEigenvalue(const Eigen::VectorXd& x, int bodies, int scalars);

}  // namespace dynid
