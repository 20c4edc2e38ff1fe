#include "dynid/diagnosis/uniform_rods.h"

#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

constexpr const char* kTwoJointsInOneBody =
    "<mujoco model='arm'><compiler angle='radian'/><worldbody><body name='upper'>"
    "<joint name='swing' type='hinge' axis='0 1 0'/><joint name='twist' type='hinge' axis='0 0 1'/>"
    "<inertial pos='0 0 0.2' mass='2' diaginertia='0.02 0.02 0.01'/>"
    "<body name='fore' pos='0 0 0.4'><joint name='elbow' type='hinge' axis='0 1 0'/>"
    "<inertial pos='0 0 0.1' mass='1' diaginertia='0.01 0.01 0.005'/></body></body></worldbody>"
    "</mujoco>";

TEST(UniformRods, GiveNoMassToTheLinkBetweenTwoJointsOfOneBody) {
  const Robot robot = parseRobot("", kTwoJointsInOneBody);
  ASSERT_EQ(robot.numBodies(), 3);
  ASSERT_TRUE(robot.bodies[0].massless);
  const Eigen::VectorXd rods = uniformRods(robot);
  EXPECT_TRUE(rods.head<10>().isZero(0.0));
  // 1500 kg/m^3, radius 6 % of the reach of 0.4 m: a rod of 0.4 m and two radii, a stub of two
  // radii
  const double area = 1500.0 * 3.14159265358979 * 0.024 * 0.024;
  EXPECT_NEAR(rods(10), area * 0.448, 1e-12);
  EXPECT_NEAR(rods(20), area * 0.048, 1e-12);
}

}  // namespace
}  // namespace dynid
