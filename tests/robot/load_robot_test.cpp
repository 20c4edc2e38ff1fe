#include "dynid/robot/load_robot.h"

#include "dynid/core/files.h"

#include <gmock/gmock.h>

#include "test_texts.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

TEST(LoadRobot, ReadsAUrdfAlone) {
  const ScratchDirectory scratch;
  const Robot robot = loadRobot(scratch.write("three.urdf", threeJoints()));
  EXPECT_EQ(robot.numJoints(), 3);
  EXPECT_EQ(robot.description_text, "");
  EXPECT_EQ(robot.urdf_text, threeJoints());
  EXPECT_EQ(robot.sha256, sha256("\n" + threeJoints()));
}

TEST(LoadRobot, FindsTheUrdfBesideTheDescription) {
  const ScratchDirectory scratch;
  scratch.write("three.urdf", threeJoints());
  const std::string description = "urdf = \"three.urdf\"\ngravity = [0, 0, 9.81]\n";
  const Robot robot = loadRobot(scratch.write("three.toml", description));
  EXPECT_EQ(robot.gravity.z(), 9.81);
  EXPECT_EQ(robot.sha256, sha256(description + "\n" + threeJoints()));
}

TEST(LoadRobot, ARobotMovesAloneByItsTexts) {
  const std::string description = "[joint.j1]\ngear_ratio = 7\n";
  const Robot first = parseRobot(description, threeJoints());
  const Robot second = parseRobot(first.description_text, first.urdf_text);
  EXPECT_EQ(first.sha256, second.sha256);
  EXPECT_EQ(*second.drives[0].gear_ratio, 7.0);
}

TEST(LoadRobot, MissingFilesAreNamed) {
  const ScratchDirectory scratch;
  EXPECT_THAT(inputError([&] { loadRobot("/nowhere/robot.urdf"); }),
              HasSubstr("/nowhere/robot.urdf: cannot be read"));
  const auto nothing = scratch.write("a.toml", "gravity = [0, 0, -9.81]\n");
  EXPECT_EQ(inputError([&] { loadRobot(nothing); }),
            nothing.string() +
                ":1: names no URDF or MJCF; add a first line such as urdf = \"robot.urdf\" or mjcf "
                "= \"robot.xml\" (relative to this file)");
  const auto wrong = scratch.write("b.toml", "# facts\nurdf = \"b.urdf\"\n");
  EXPECT_THAT(inputError([&] { loadRobot(wrong); }), HasSubstr(wrong.string() + ":2: urdf: "));
  EXPECT_THAT(inputError([&] { loadRobot(wrong); }),
              HasSubstr("the path is relative to this description"));
}

TEST(LoadRobot, MessagesNameTheFileThatIsWrong) {
  const ScratchDirectory scratch;
  const auto broken = scratch.write("broken.urdf", "<robot name=\"r\">\n<link/>\n</robot>");
  EXPECT_THAT(inputError([&] { loadRobot(broken); }),
              HasSubstr("broken.urdf:2: <link> has no name"));
  const auto toml = scratch.write("x.toml", "urdf = \"broken.urdf\"\n");
  EXPECT_THAT(inputError([&] { loadRobot(toml); }), HasSubstr("broken.urdf:2: <link> has no name"));
}

}  // namespace
}  // namespace dynid
