#include "dynid/robot/inertial_fault.h"

#include <gmock/gmock.h>

#include "test_texts.h"

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string inertial(const std::string& mass, double xx, double yy, double zz) {
  return "<inertial><mass value=\"" + mass + "\"/><inertia ixx=\"" + std::to_string(xx) +
         "\" ixy=\"0\" ixz=\"0\" iyy=\"" + std::to_string(yy) + "\" iyz=\"0\" izz=\"" +
         std::to_string(zz) + "\"/></inertial>";
}

const std::string kGood = inertial("2", 0.02, 0.02, 0.02);
const std::string kDummy = inertial("0", 0.001, 0.001, 0.001);
const std::string kNegative = inertial("1", -0.1, 0.1, 0.1);

Robot arm(const std::string& moving, const std::string& fixed) {
  return parseRobot("",
                    urdf(link("base") + link("a", moving) + link("flange", fixed) +
                         joint("j", "revolute", "base", "a") + joint("f", "fixed", "a", "flange")));
}

TEST(InertialFault, EveryKindIsToldApart) {
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  EXPECT_EQ(faultOf(0.0, Eigen::Matrix3d::Zero()), InertialFault::kNone);
  EXPECT_EQ(faultOf(1.0, I), InertialFault::kNone);
  EXPECT_EQ(faultOf(0.0, I), InertialFault::kZeroMass);
  EXPECT_EQ(faultOf(-1.0, I), InertialFault::kNegativeMass);
  EXPECT_EQ(faultOf(1.0, -1e-3 * I), InertialFault::kNegativeMoment);
  EXPECT_EQ(faultOf(1.0, -2e-35 * I), InertialFault::kNone);
  EXPECT_EQ(faultOf(std::nan(""), I), InertialFault::kNotFinite);
  EXPECT_EQ(faultOf(1.0, kInfinity * I), InertialFault::kNotFinite);
}

TEST(InertialFault, ADummyOfZeroMassLeavesThePriorOfItsBody) {
  const Robot robot = arm(kGood, kDummy);
  ASSERT_TRUE(robot.bodies[0].prior.has_value());
  EXPECT_EQ((*robot.bodies[0].prior)(0), 2.0);
  EXPECT_THAT(robot.warnings,
              ElementsAre("a mass of zero with moments of inertia is not used: links flange"));
}

TEST(InertialFault, AFixedLinkWithAFaultAndAMassTakesThePriorOfItsBody) {
  const Robot robot = arm(kGood, kNegative);
  EXPECT_FALSE(robot.bodies[0].prior.has_value());
  EXPECT_THAT(
      robot.warnings,
      ElementsAre("an inertia with a negative principal moment is not used: links flange",
                  "the described inertia is not usable as a prior: identification uses a capsule "
                  "from joint to joint "
                  "instead (dynid check reports what is wrong with each link): bodies a"));
}

TEST(InertialFault, AMovingLinkWithAFaultHasNoPrior) {
  for (const std::string& fault : {kDummy, kNegative, inertial("-1", 0.1, 0.1, 0.1)}) {
    const Robot robot = arm(fault, "");
    EXPECT_FALSE(robot.bodies[0].prior.has_value());
    EXPECT_EQ(robot.warnings.size(), 2u);
  }
}

TEST(InertialFault, ABodyWithoutExtentIsSaid) {
  EXPECT_THAT(
      arm(inertial("1", 0, 0, 0), "").warnings,
      ElementsAre("the described inertia is not usable as a prior: identification uses a capsule "
                  "from joint to joint "
                  "instead (dynid check reports what is wrong with each link): bodies a"));
}

TEST(InertialFault, SoundAndMissingInertiasAreNotMentioned) {
  EXPECT_THAT(arm(kGood, "").warnings, IsEmpty());
  EXPECT_THAT(arm("", "").warnings, IsEmpty());
  EXPECT_THAT(arm(kGood, kGood).warnings, IsEmpty());
}

}  // namespace
}  // namespace dynid
