#include "dynid/robot/link_end.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(LinkEnd, IsTheMeanOfTheOriginsOfTheCarriedLinks) {
  Robot robot;
  robot.bodies.resize(4);
  const int parents[] = {-1, 0, 0, 1};
  const Eigen::Vector3d origins[] = {{9.0, 9.0, 9.0}, {1.0, 0.0, 2.0}, {3.0, 4.0, 0.0}, {0, 0, 1}};
  for (int k = 0; k < 4; ++k) {
    robot.bodies[k].parent = parents[k];
    robot.bodies[k].X_PJ.p = origins[k];
  }
  EXPECT_EQ(linkEnd(robot, 0), Eigen::Vector3d(2.0, 2.0, 1.0));
  EXPECT_EQ(linkEnd(robot, 1), Eigen::Vector3d(0.0, 0.0, 1.0));
  EXPECT_EQ(linkEnd(robot, 3), Eigen::Vector3d::Zero());
}

}  // namespace
}  // namespace dynid
