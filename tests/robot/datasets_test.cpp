// The robots described in this repository load, and their kinematics agree with those of the logs.
#include "dynid/robot/load_robot.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

namespace dynid {
namespace {

struct Described {
  const char* name;
  int joints, bodies;
};
constexpr Described kRobots[] = {{"ur10e", 6, 6},
                                 {"panda", 7, 7},
                                 {"tx40", 6, 6},
                                 {"kr300", 6, 6},
                                 {"xmate7p", 7, 7},
                                 {"lwa3", 7, 7},
                                 {"tiago", 8, 8},
                                 {"dvrk_mtm", 7, 9},
                                 {"dvrk_psm", 7, 12}};

class Datasets : public ::testing::TestWithParam<Described> {
 protected:
  static Robot described() {
    const std::string name = GetParam().name;
    return loadRobot(std::string(DYNID_DATASETS_DIR) + "/" + name + "/" + name + ".toml");
  }
};

TEST_P(Datasets, Loads) {
  const Robot robot = described();
  EXPECT_EQ(robot.name, GetParam().name);
  EXPECT_EQ(robot.numJoints(), GetParam().joints);
  EXPECT_EQ(robot.numBodies(), GetParam().bodies);
  EXPECT_NE(robot.T.determinant(), 0.0);
  EXPECT_EQ(robot.logColumnNames(), robot.jointNames());  // all of these logs are on the joint side
  EXPECT_NEAR(robot.gravity.norm(), 9.80665, 1e-12);
}

TEST_P(Datasets, AgreesWithTheKinematicsOfTheLogs) {
  const std::string folder = DYNID_REAL_DATA_DIR;
  if (folder.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is not set";
  const std::string name = GetParam().name;
  const Robot ours = described(), theirs = loadRobot(folder + "/" + name + "/" + name + ".urdf");
  ASSERT_EQ(ours.jointNames(), theirs.jointNames());
  for (size_t k = 0; k < theirs.bodies.size(); ++k) {
    const Body &a = ours.bodies[k], &b = theirs.bodies[k];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.parent, b.parent);
    EXPECT_EQ(a.joint, b.joint);
    EXPECT_LT(
        (a.X_PJ.R - b.X_PJ.R).norm() + (a.X_PJ.p - b.X_PJ.p).norm() + (a.axis - b.axis).norm(),
        1e-9);
    EXPECT_EQ(a.multiplier, b.multiplier);
    EXPECT_EQ(a.offset, b.offset);
  }
  for (size_t j = 0; j < theirs.joints.size(); ++j) {
    const JointLimits &a = ours.joints[j].limits, &b = theirs.joints[j].limits;
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.effort, b.effort);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Datasets, ::testing::ValuesIn(kRobots), [](const auto& instance) {
  return std::string(instance.param.name);
});

TEST(HumanoidDataset, HasThirtyTwoJointsAndOnlySoundInertias) {
  const Robot robot = loadRobot(std::string(DYNID_DATASETS_DIR) + "/humanoid/humanoid.toml");
  EXPECT_EQ(robot.numJoints(), 32);
  EXPECT_EQ(robot.numBodies(), 32);
  EXPECT_TRUE(robot.warnings.empty());
  for (const Body& body : robot.bodies) EXPECT_TRUE(body.prior.has_value()) << body.name;
}

}  // namespace
}  // namespace dynid
