#include "dynid/spatial/transform.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

TEST(Transform, ComposesAndInverts) {
  std::mt19937_64 rng(1);
  const Transform X_AB{rotationFromRpy(support::vector(rng, 3.0)), support::vector(rng, 1.0)};
  const Transform X_BC{rotationFromRpy(support::vector(rng, 3.0)), support::vector(rng, 1.0)};
  const Eigen::Vector3d p = support::vector(rng, 1.0);
  EXPECT_LT(((X_AB * X_BC) * p - X_AB * (X_BC * p)).norm(), 1e-15);
  EXPECT_LT(((X_AB.inverse() * X_AB).R - Eigen::Matrix3d::Identity()).norm(), 1e-15);
  EXPECT_LT((X_AB.inverse() * X_AB).p.norm(), 1e-15);
}

TEST(RotationFromRpy, TurnsAboutFixedAxesInTheOrderRollPitchYaw) {
  const Eigen::Vector3d rpy(0.3, -0.7, 1.9);
  const Eigen::Matrix3d expected = (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) *
                                    Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
                                    Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
                                       .toRotationMatrix();
  EXPECT_LT((rotationFromRpy(rpy) - expected).norm(), 1e-15);
}

TEST(RotationAbout, IsRodriguesRotation) {
  std::mt19937_64 rng(2);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Vector3d axis = support::vector(rng, 1.0).normalized();
    const double angle = support::uniform(rng, -7.0, 7.0);
    const Eigen::Matrix3d R = rotationAbout<double>(axis, angle);
    EXPECT_LT((R - Eigen::AngleAxisd(angle, axis).toRotationMatrix()).norm(), 1e-14);
    EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  }
}

TEST(Skew, IsTheCrossProduct) {
  const Eigen::Vector3d a(1.0, 2.0, 3.0), b(-4.0, 5.0, 6.0);
  EXPECT_EQ(skew(a) * b, a.cross(b));
}

TEST(RotationFromRpy, RightAnglesAreExactHoweverManyDigitsTheyWereWrittenWith) {
  Eigen::Matrix3d expected;
  expected << 0, 0, -1, 0, 1, 0, 1, 0, 0;
  EXPECT_EQ(rotationFromRpy({0.0, -1.57079632679, 0.0}), expected);
  expected << 0, -1, 0, -1, 0, 0, 0, 0, -1;
  EXPECT_EQ(rotationFromRpy({3.141592653589793, 0.0, -1.5707963267948966}), expected);
  EXPECT_EQ(rotationFromRpy({0.0, 0.0, 6.28318530718}), Eigen::Matrix3d::Identity());
  // fewer digits are another angle
  EXPECT_NE(rotationFromRpy({0.0, 0.0, 1.570796327})(0, 0), 0.0);
  EXPECT_NEAR(rotationFromRpy({0.0, 0.0, 1.5708})(0, 0), -3.673e-6, 1e-9);
}

}  // namespace
}  // namespace dynid
