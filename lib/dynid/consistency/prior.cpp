#include "dynid/consistency/prior.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace dynid {
namespace {

constexpr double kDensity = 2000.0;      // kg/m^3: between plastics and metals, motors included
constexpr double kMinimumRadius = 0.04;  // m
constexpr double kSlenderness = 0.2;     // radius / length

}  // namespace

InertialParameters capsulePrior(const Eigen::Vector3d& from,
                                const Eigen::Vector3d& to,
                                double least_length) {
  if (!from.allFinite() || !to.allFinite())
    throw std::invalid_argument("an end of the capsule is not finite; expected two points [m]");
  const double distance = (to - from).norm();
  const Eigen::Vector3d axis =
      distance > 0.0 ? Eigen::Vector3d((to - from) / distance) : Eigen::Vector3d::UnitZ();
  const double length = std::max(least_length, distance);
  const double radius = std::max(kMinimumRadius, kSlenderness * length);
  const double r2 = radius * radius;

  const double cylinder = kDensity * std::numbers::pi * r2 * length;
  const double sphere = kDensity * 4.0 / 3.0 * std::numbers::pi * r2 * radius;
  // Both hemispheres together have 2/5 m r^2 about the axis. The transverse moment of each is
  // 83/320 m_h r^2 about its centre of mass, which lies 3/8 r beyond the end of the cylinder.
  const double along = 0.5 * cylinder * r2 + 0.4 * sphere * r2;
  const double arm = 0.5 * length + 0.375 * radius;
  const double across =
      cylinder * (0.25 * r2 + length * length / 12.0) + sphere * (83.0 / 320.0 * r2 + arm * arm);

  const Eigen::Matrix3d projector = axis * axis.transpose();
  const Eigen::Matrix3d inertia =
      across * (Eigen::Matrix3d::Identity() - projector) + along * projector;
  return inertialFromCenterOfMass(cylinder + sphere, 0.5 * (from + to), inertia);
}

}  // namespace dynid
