#include "dynid/formulations/added_mass.h"

#include "dynid/spatial/vectors.h"

#include <Eigen/Geometry>

namespace dynid {
namespace {

using Parameters = Eigen::Matrix<double, kAddedMassParameters, 1>;

// Kirchhoff's equations for the momentum P = (Q, G) and its rate.
Vector6<double> wrench(const Vector6<double>& z,
                       const Vector6<double>& P,
                       const Vector6<double>& dP) {
  const Eigen::Vector3d v = z.head<3>(), w = z.tail<3>(), Q = P.head<3>(), G = P.tail<3>();
  Vector6<double> result = dP;
  result.head<3>() += w.cross(Q);
  result.tail<3>() += w.cross(G) + v.cross(Q);
  return result;
}

}  // namespace

Eigen::Matrix<double, 6, kAddedMassParameters> addedMassRows(const Vector6<double>& z,
                                                             const Vector6<double>& dz) {
  Eigen::Matrix<double, 6, kAddedMassParameters> rows;
  for (int i = 0; i < kAddedMassParameters; ++i) {
    const Eigen::Matrix<double, 6, 6> M = addedMassMatrix(Parameters::Unit(i));
    rows.col(i) = wrench(z, M * z, M * dz);
  }
  return rows;
}

Parameters addedMassParameters(const Eigen::Matrix<double, 6, 6>& M) {
  Parameters parameters;
  for (int j = 0, k = 0; j < 6; ++j)
    for (int i = j; i < 6; ++i) parameters(k++) = M(i, j);
  return parameters;
}

Eigen::Matrix<double, 6, 6> addedMassMatrix(const Parameters& parameters) {
  Eigen::Matrix<double, 6, 6> M;
  for (int j = 0, k = 0; j < 6; ++j)
    for (int i = j; i < 6; ++i) M(i, j) = M(j, i) = parameters(k++);
  return M;
}

}  // namespace dynid
