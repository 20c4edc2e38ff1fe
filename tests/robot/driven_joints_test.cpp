#include "dynid/robot/driven_joints.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string text(const std::string& file) {
  return readTextFile(std::string(DYNID_DATASETS_DIR) + "/" + file);
}

std::string without(std::string description, const std::string& line) {
  for (size_t at = description.find(line); at != std::string::npos; at = description.find(line))
    description.erase(at, line.size());
  return description;
}

TEST(DrivenJoints, DescriptionsThatSayPassiveAreTakenAtTheirWord) {
  EXPECT_EQ(chosenDrivenJoints(support::fourBar()), "");
  EXPECT_THAT(support::fourBar().jointNames(), ElementsAre("crank_joint"));
}

// Only the keys of the cut joint are given: the driven joints follow from drives and limits.
TEST(DrivenJoints, WithoutPassiveKeysDrivesDecideThenLimits) {
  const std::string four_bar = without(text("four_bar/four_bar.toml"), "passive = true");
  const Robot robot = parseRobot(four_bar, text("four_bar/four_bar.urdf"));
  EXPECT_THAT(robot.jointNames(), ElementsAre("crank_joint"));
  EXPECT_EQ(chosenDrivenJoints(robot), "crank_joint");
  EXPECT_LT((robot.assembly - support::fourBar().assembly).cwiseAbs().maxCoeff(), 1e-12);

  const std::string palletizer = without(text("palletizer/palletizer.toml"), "passive = true");
  const Robot arm = parseRobot(palletizer, text("palletizer/palletizer.urdf"));
  EXPECT_THAT(arm.jointNames(), ElementsAre("turn", "shoulder", "tool_joint", "crank_joint"));
  EXPECT_EQ(arm.passive_joints.size(), 6U);
}

TEST(DrivenJoints, WithoutAnythingElseTheJointsNearestToTheRootAreDriven) {
  const std::string loops = text("four_bar/four_bar.toml");
  const std::string only_loop = loops.substr(0, loops.find("[joint.crank_joint]"));
  std::string urdf = text("four_bar/four_bar.urdf");
  urdf = without(urdf, "<limit velocity=\"8.0\" effort=\"60\"/>");
  urdf = without(urdf, "velocity=\"10.0\" ");
  const Robot robot = parseRobot(only_loop, urdf);
  EXPECT_EQ(chosenDrivenJoints(robot), "crank_joint");  // precedes the rocker in the tree
  // The assembly mode is not given: the rocker's limits leave only one.
  EXPECT_LT(loopEquations(robot, robot.assembly).c.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(DrivenJoints, TwoAssembliesAreNamedWhereNothingChooses) {
  const std::string loops = text("four_bar/four_bar.toml");
  const std::string urdf = without(text("four_bar/four_bar.urdf"), "lower=\"0.0\" upper=\"3.14\"");
  try {
    parseRobot(loops.substr(0, loops.find("[joint.crank_joint]")), urdf);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("the loops close in 2 ways or more"),
                      HasSubstr("rocker_joint = 1.745"),
                      HasSubstr("rocker_joint = -1.745"),
                      HasSubstr("`assembly`")));
  }
}

TEST(DrivenJoints, MoreDrivesThanFreeMotionsAreRefused) {
  std::string description = without(text("four_bar/four_bar.toml"), "passive = true");
  description += "friction = [\"viscous\"]\n";  // in the rocker's table, the last one
  try {
    parseRobot(description, text("four_bar/four_bar.urdf"));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("[joint.rocker_joint]"),
                      HasSubstr("the loops leave fewer free motions than joints have drives")));
  }
}

TEST(DrivenJoints, AStartWhereTheDrivenJointsHaveNoPositionMovesThem) {
  // Driven at the rocker: at 0, where its range begins, the mechanism has no position.
  std::string description = text("four_bar/four_bar.toml");
  description = description.substr(0, description.find("[joint.crank_joint]")) +
                "[joint.crank_joint]\npassive = true\n[joint.coupler_joint]\npassive = true\n"
                "assembly = 0.9\n[joint.rocker_joint]\nassembly = 0.3\n";
  const Robot robot = parseRobot(description, text("four_bar/four_bar.urdf"));
  EXPECT_LT(loopEquations(robot, robot.assembly).c.cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace dynid
