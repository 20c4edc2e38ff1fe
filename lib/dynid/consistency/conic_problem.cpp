#include "dynid/consistency/conic_problem.h"

#include "dynid/math/independent_columns.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <limits>
#include <numbers>

namespace dynid {

Eigen::VectorXd coneIdentity(int bodies, int scalars) {
  Eigen::VectorXd identity(10 * bodies + scalars);
  for (int k = 0; k < bodies; ++k) identity.segment<10>(10 * k) = svec(Eigen::Matrix4d::Identity());
  identity.tail(scalars).setOnes();
  return identity;
}

std::vector<std::vector<Eigen::Index>> independentVariables(
    const Eigen::Ref<const Eigen::MatrixXd>& rows, int bodies) {
  Eigen::MatrixXd pattern = Eigen::MatrixXd::Zero(rows.rows() + bodies, rows.cols());
  pattern.topRows(rows.rows()) = rows;
  for (int k = 0; k < bodies; ++k) pattern.row(rows.rows() + k).segment(10 * k, 10).setOnes();
  return independentColumns(pattern);
}

Matrix10d congruence(const Eigen::Matrix4d& G) {
  Matrix10d map;
  int column = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = j; i < 4; ++i, ++column) {
      // The basis matrix of (i, j) has unit Frobenius norm: e_i e_i^T, or (e_i e_j^T + e_j e_i^T) /
      // sqrt 2.
      const double left = i == j ? 0.5 : 1.0 / std::numbers::sqrt2;
      const Eigen::Matrix4d half = (left * G.col(i)) * G.col(j).transpose();
      map.col(column) = svec(half + half.transpose());
    }
  return map;
}

double smallestConeEigenvalue(const Eigen::VectorXd& x, int bodies, int scalars) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < bodies; ++k) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(smat(x.segment<10>(10 * k)),
                                                               Eigen::EigenvaluesOnly);
    smallest = std::min(smallest, eigen.eigenvalues()(0));
  }
  if (scalars > 0) smallest = std::min(smallest, x.tail(scalars).minCoeff());
  return smallest;
}

}  // namespace dynid
