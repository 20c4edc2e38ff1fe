#include "dynid/spatial/inertia.h"

namespace dynid {
namespace {

Eigen::Matrix3d steiner(const Eigen::Vector3d& c) {
  return c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose();
}

}  // namespace

Eigen::Matrix3d inertiaTensor(const InertialParameters& pi) {
  return Eigen::Matrix3d{{pi(4), pi(5), pi(6)}, {pi(5), pi(7), pi(8)}, {pi(6), pi(8), pi(9)}};
}

InertialParameters inertialFromCenterOfMass(double mass,
                                            const Eigen::Vector3d& com,
                                            const Eigen::Matrix3d& inertia_about_com) {
  const Eigen::Matrix3d I = inertia_about_com + mass * steiner(com);
  InertialParameters pi;
  pi << mass, mass * com, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  return pi;
}

CenterOfMassInertia centerOfMassInertia(const InertialParameters& pi) {
  CenterOfMassInertia body;
  body.mass = pi(0);
  if (pi(0) != 0.0) body.com = pi.segment<3>(1) / pi(0);
  body.inertia_about_com = inertiaTensor(pi) - body.mass * steiner(body.com);
  return body;
}

InertialParameters transformed(const Transform& X_AB, const InertialParameters& pi_B) {
  // I_A = R I_B R^T plus terms of h and m: the parallel axis theorem for a reference point that is
  // not the centre of mass.
  const double mass = pi_B(0);
  const Eigen::Vector3d h = X_AB.R * pi_B.segment<3>(1);
  const Eigen::Vector3d& p = X_AB.p;
  const Eigen::Matrix3d I = X_AB.R * inertiaTensor(pi_B) * X_AB.R.transpose() + mass * steiner(p) +
                            2.0 * p.dot(h) * Eigen::Matrix3d::Identity() - p * h.transpose() -
                            h * p.transpose();
  InertialParameters pi;
  pi << mass, h + mass * p, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  return pi;
}

}  // namespace dynid
