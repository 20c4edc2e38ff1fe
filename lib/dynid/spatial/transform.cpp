#include "dynid/spatial/transform.h"

#include "dynid/spatial/vectors.h"

#include <cmath>
#include <numbers>

namespace dynid {
namespace {

constexpr double kRightAngle = 1e-11;  // rad

Eigen::Matrix3d turn(int axis, double angle) {
  const double quarters = std::round(angle / (std::numbers::pi / 2.0));
  if (!(std::abs(angle - quarters * (std::numbers::pi / 2.0)) <= kRightAngle))
    return rotationAbout(Eigen::Vector3d(Eigen::Vector3d::Unit(axis)), angle);
  constexpr double kSine[4] = {0.0, 1.0, 0.0, -1.0};
  const int quarter = static_cast<int>(std::fmod(quarters, 4.0) + 4.0) % 4;
  const double sine = kSine[quarter], cosine = kSine[(quarter + 1) % 4];
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  R(x, x) = R(y, y) = cosine;
  R(y, x) = sine;
  R(x, y) = -sine;
  return R;
}

}  // namespace

Eigen::Matrix3d rotationFromRpy(const Eigen::Vector3d& rpy) {
  return turn(2, rpy.z()) * turn(1, rpy.y()) * turn(0, rpy.x());
}

}  // namespace dynid
