#include "dynid/regression/right_angles.h"

#include <cmath>
#include <numbers>

namespace dynid {
namespace {

// True for a right angle that was written with two or three decimals, such as 1.57 or 3.142.
bool isRounded(double angle, double right) {
  constexpr double kRounding = 1e-9;  // of the angle that was read, stored as a matrix [rad]
  for (const double decimals : {100.0, 1000.0})
    if (std::abs(angle - std::round(right * decimals) / decimals) < kRounding) return true;
  return false;
}

double toRightAngle(double angle, double tolerance) {
  const double right = std::numbers::pi / 2 * std::round(angle / (std::numbers::pi / 2));
  return std::abs(angle - right) < tolerance || isRounded(angle, right) ? right : angle;
}

// The rotation whose roll, pitch and yaw within `tolerance` of a right angle are replaced by it.
Eigen::Matrix3d turnedToRightAngles(const Eigen::Matrix3d& R, double tolerance) {
  const double cos_pitch = std::hypot(R(0, 0), R(1, 0));
  const bool locked = cos_pitch < 1e-12;  // gimbal lock: roll and yaw turn about the same axis
  const Eigen::Vector3d rpy(locked ? 0.0 : std::atan2(R(2, 1), R(2, 2)),
                            std::atan2(-R(2, 0), cos_pitch),
                            locked ? std::atan2(-R(0, 1), R(1, 1)) : std::atan2(R(1, 0), R(0, 0)));
  return rotationFromRpy(
      rpy.unaryExpr([&](double angle) { return toRightAngle(angle, tolerance); }));
}

}  // namespace

Robot withRightAngles(const Robot& given, double tolerance) {
  Robot robot = given;
  if (!(tolerance > 0.0)) return robot;
  const auto cleaned = [&](const Eigen::Vector3d& axis) -> Eigen::Vector3d {
    return axis.unaryExpr([&](double x) { return std::abs(x) < tolerance ? 0.0 : x; }).normalized();
  };
  for (Body& body : robot.bodies) {
    body.X_PJ.R = turnedToRightAngles(body.X_PJ.R, tolerance);
    body.axis = cleaned(body.axis);
  }
  for (Loop& loop : robot.loops) {
    loop.X_A.R = turnedToRightAngles(loop.X_A.R, tolerance);
    loop.X_B.R = turnedToRightAngles(loop.X_B.R, tolerance);
    loop.axis = cleaned(loop.axis);
  }
  return robot;
}

}  // namespace dynid
