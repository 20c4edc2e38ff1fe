#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

#include <numbers>

namespace dynid {

Eigen::Matrix4d pseudoInertia(const InertialParameters& pi) {
  const Eigen::Matrix3d I = inertiaTensor(pi);
  Eigen::Matrix4d P;
  P.topLeftCorner<3, 3>() = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
  P.topRightCorner<3, 1>() = pi.segment<3>(1);
  P.bottomLeftCorner<1, 3>() = pi.segment<3>(1).transpose();
  P(3, 3) = pi(0);
  return P;
}

InertialParameters inertialFromPseudo(const Eigen::Matrix4d& P) {
  const Eigen::Matrix3d sigma = P.topLeftCorner<3, 3>();
  const Eigen::Matrix3d I = sigma.trace() * Eigen::Matrix3d::Identity() - sigma;
  InertialParameters pi;
  pi << P(3, 3), P.topRightCorner<3, 1>(), I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  return pi;
}

Vector10<double> svec(const Eigen::Matrix4d& Q) {
  Vector10<double> q;
  int k = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = j; i < 4; ++i)
      q(k++) = i == j ? Q(i, i) : (Q(i, j) + Q(j, i)) / std::numbers::sqrt2;
  return q;
}

Eigen::Matrix4d smat(const Vector10<double>& q) {
  Eigen::Matrix4d Q;
  int k = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = j; i < 4; ++i, ++k) {
      const double entry = i == j ? q(k) : q(k) / std::numbers::sqrt2;
      Q(i, j) = entry;
      Q(j, i) = entry;
    }
  return Q;
}

double smallestPseudoEigenvalue(const InertialParameters& pi) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(pseudoInertia(pi), Eigen::EigenvaluesOnly)
      .eigenvalues()(0);
}

}  // namespace dynid
