#include "dynid/robot/initial_description.h"

#include <gmock/gmock.h>

#include "test_texts.h"
#include <sstream>

namespace dynid {
namespace {

using ::testing::HasSubstr;

std::string awkward() {
  return urdf(
      link("base") +
      link("a b",
           "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>") +
      link("c&quot;d") + link("finger") +
      joint("j.1",
            "revolute",
            "base",
            "a b",
            "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/>") +
      joint("j&quot;2", "prismatic", "a b", "c&quot;d") +
      joint("grip", "prismatic", "c&quot;d", "finger", "<mimic joint=\"j&quot;2\"/>"));
}

TEST(InitialDescription, LoadsBackAsTheBareUrdfDoes) {
  const ScratchDirectory scratch;
  const auto path = scratch.write("awk ward.urdf", awkward());
  const std::string text = initialDescription(path);
  const Robot bare = loadRobot(path), described = loadRobot(scratch.write("r.toml", text));
  EXPECT_EQ(described.jointNames(), bare.jointNames());
  EXPECT_EQ(described.urdf_text, bare.urdf_text);
  EXPECT_EQ(described.gravity, bare.gravity);
  EXPECT_EQ(described.joints[0].limits.upper, 1.0);
  EXPECT_TRUE(described.drives[0].automatic_friction);
}

// Two arms with hands.
TEST(InitialDescription, OfAHundredJointsLoadsBack) {
  std::string text = link("link_number_0");
  for (int i = 1; i <= 100; ++i) {
    const std::string name = "link_number_" + std::to_string(i);
    text += link(name) + joint("joint_of_the_hand_" + std::to_string(i),
                               "revolute",
                               "link_number_" + std::to_string(i - 1),
                               name,
                               "<limit lower=\"-1.5707963\" upper=\"1.5707963\" effort=\"5.25\" "
                               "velocity=\"2.1749\"/>");
  }
  const ScratchDirectory scratch;
  const std::string described = initialDescription(scratch.write("hands.urdf", urdf(text)));
  EXPECT_GT(described.size(), size_t{70} << 10);
  EXPECT_EQ(loadRobot(scratch.write("hands.toml", described)).numJoints(), 100);
}

TEST(InitialDescription, KnowsThePassiveJointsOfALoop) {
  const auto bar = [](const std::string& name, const std::string& inner) {
    return "<body name=\"" + name + "\" pos=\"1 0 0\"><joint name=\"j" + name +
           "\" axis=\"0 1 0\"/><geom type=\"capsule\" size=\"0.1\" fromto=\"0 0 0 1 0 0\"/>" +
           inner + "</body>";
  };
  const ScratchDirectory scratch;
  const auto path =
      scratch.write("loop.xml",
                    "<mujoco><worldbody>" + bar("a", bar("b", bar("c", ""))) +
                        "</worldbody><equality><connect body1=\"c\" anchor=\"-2 0 2\"/></equality>"
                        "<actuator><motor joint=\"ja\"/></actuator></mujoco>");
  EXPECT_THAT(initialDescription(path), HasSubstr("[joint.ja]"));
}

TEST(InitialDescription, ListsEveryJointAndLink) {
  const ScratchDirectory scratch;
  const std::string text = initialDescription(scratch.write("r.urdf", awkward()));
  EXPECT_THAT(text, HasSubstr("urdf = \"r.urdf\"\n"));
  EXPECT_THAT(text, HasSubstr("[joint.\"j.1\"]   # revolute, moves a b\n"));
  EXPECT_THAT(text, HasSubstr("[joint.\"j\\\"2\"]   # prismatic"));
  EXPECT_THAT(
      text,
      HasSubstr("# limits = { position = [-1, 1], velocity = 2, acceleration = 8, effort = 5 }\n"));
  EXPECT_THAT(text, HasSubstr("# Joint grip mimics j\"2 and needs no entry.\n"));
  EXPECT_THAT(text,
              HasSubstr("# [link.\"a b\"]\n# mass = [1, 3]   # bounds, kg; the file says 2\n"));
  EXPECT_THAT(text, HasSubstr("# [link.finger]\n# mass = [0.5, 5.0]"));
}

/// Every commented line is valid when its comment sign is removed, individually or together with
/// all lines of the same kind.
TEST(InitialDescription, EveryCommentedLineCanBeSaid) {
  const ScratchDirectory scratch;
  scratch.write("three.urdf", threeJoints());
  const std::string text = initialDescription(scratch.write("three.urdf", threeJoints()));
  std::istringstream lines(text);
  std::string all;
  int freed = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool says = line.rfind("# ", 0) == 0 &&
                      (line.find(" = ") != std::string::npos || line.find("# [") == 0);
    // not together with a transmission
    const bool either_or = line.find("gear_ratio") != std::string::npos;
    freed += says && !either_or ? 1 : 0;
    all += (says && !either_or ? line.substr(2) : line) + "\n";
  }
  EXPECT_GT(freed, 30);
  const Robot robot = loadRobot(scratch.write("all.toml", all));
  EXPECT_EQ(*robot.drives[0].drive_gain, 10.0);
  EXPECT_EQ(*robot.payload_link, "c");
  EXPECT_EQ(robot.T(2, 1), -1.0);
  EXPECT_TRUE(robot.bodies[2].bounds.ellipsoid.has_value());
}

}  // namespace
}  // namespace dynid
