#include "dynid/diagnosis/uniform_rods.h"

#include "dynid/robot/plausibility.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dynid {
namespace {

constexpr double kRadiusShare = 0.06;  // of the reach
constexpr double kDensity = 1500.0;    // [kg/m^3]
constexpr double kSameOrigin = 1e-6;   // [m]

/// A rod from the body's origin to `end`.
InertialParameters rod(const Eigen::Vector3d& end, double radius) {
  const double length = end.norm() + 2.0 * radius;
  const double mass = kDensity * std::numbers::pi * radius * radius * length;
  const Eigen::Matrix3d across =
      Eigen::Matrix3d::Identity() -
      (end.norm() > kSameOrigin ? Eigen::Matrix3d(end * end.transpose() / end.squaredNorm())
                                : Eigen::Matrix3d::Zero());
  const Eigen::Matrix3d inertia = mass * (radius * radius / 4.0 * Eigen::Matrix3d::Identity() +
                                          length * length / 12.0 * across);
  return inertialFromCenterOfMass(mass, 0.5 * end, inertia);
}

}  // namespace

Eigen::VectorXd uniformRods(const Robot& robot) {
  const double radius = kRadiusShare * reachOf(robot);
  Eigen::VectorXd inertial = Eigen::VectorXd::Zero(10 * robot.numBodies());
  for (int b = 0; b < robot.numBodies(); ++b) {
    if (robot.bodies[b].massless) continue;
    bool any = false;
    for (const Body& child : robot.bodies) {
      if (child.parent != b || child.X_PJ.p.norm() <= kSameOrigin) continue;
      inertial.segment<10>(10 * b) += rod(child.X_PJ.p, radius);
      any = true;
    }
    if (!any) inertial.segment<10>(10 * b) = rod(Eigen::Vector3d::Zero(), radius);
  }
  return inertial;
}

double massOfUniformRods(const Robot& robot) {
  const Eigen::VectorXd rods = uniformRods(robot);
  double mass = 0.0;
  for (int b = 0; b < robot.numBodies(); ++b) mass += rods(10 * b);
  return mass;
}

}  // namespace dynid
