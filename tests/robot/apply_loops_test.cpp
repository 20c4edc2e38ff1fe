#include "dynid/robot/apply_loops.h"

#include "dynid/core/errors.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"
#include <cmath>
#include <numbers>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A crank, coupler and rocker on a base, all joints about y.
/// @param ground  length of the base; with a suitable one all joints are collinear at zero
std::string linkage(double ground) {
  const auto link = [](const std::string& name) {
    return "<link name=\"" + name +
           "\"><inertial><mass value=\"1\"/><origin xyz=\"0.1 0 0\"/><inertia ixx=\"0.01\" "
           "ixy=\"0\" ixz=\"0\" iyy=\"0.01\" iyz=\"0\" izz=\"0.01\"/></inertial></link>";
  };
  const auto joint =
      [](const std::string& name, const std::string& parent, const std::string& child, double x) {
        return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent +
               "\"/><child link=\"" + child + "\"/><origin xyz=\"" + std::to_string(x) +
               " 0 0\"/><axis xyz=\"0 1 0\"/></joint>";
      };
  return "<robot name=\"linkage\"><link name=\"base\"/>" + link("crank") + link("coupler") +
         link("rocker") + joint("a", "base", "crank", 0.0) + joint("b", "crank", "coupler", 0.3) +
         joint("c", "base", "rocker", ground) + "</robot>";
}

const std::string kLoop = R"([[loop]]
link_a = "coupler"
link_b = "rocker"
type = "revolute"
origin_a = { xyz = [0.5, 0.0, 0.0] }
origin_b = { xyz = [0.4, 0.0, 0.0] }
axis = [0.0, 1.0, 0.0]
)";
const std::string kPassive =
    "[joint.b]\npassive = true\nassembly = -1.3\n[joint.c]\npassive = true\nassembly = -1.8\n";

std::string refusal(const std::string& description, double ground = 0.6) {
  try {
    parseRobot(description, linkage(ground));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ApplyLoops, PassiveJointsLeaveTheDrivenOnesAndAreClosed) {
  const Robot robot = parseRobot(kLoop + kPassive, linkage(0.6));
  EXPECT_THAT(robot.jointNames(), ElementsAre("a"));
  EXPECT_THAT(robot.actuatorNames(), ElementsAre("a"));
  ASSERT_EQ(robot.passive_joints.size(), 2U);
  EXPECT_EQ(robot.treeJoint(2).name, "c");
  EXPECT_THAT(robot.loops.at(0).joints, ElementsAre(0, 1, 2));
  EXPECT_LT(loopEquations(robot, robot.assembly).c.cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_NEAR(robot.assembly(1), -std::acos(0.6), 1e-12);  // a triangle of 0.3, 0.4 and 0.5 m
  EXPECT_NEAR(robot.assembly(2), -std::acos(0.0), 1e-12);
  for (bool moved : robot.bodiesMovedBy(0)) EXPECT_TRUE(moved);
}

TEST(ApplyLoops, LimitsOfTheDescriptionDecideTheAssembly) {
  // Near the described assembly the loops close with c at +90 deg, which its limits exclude.
  const std::string other_side =
      "[joint.b]\npassive = true\nassembly = 1.3\n"
      "[joint.c]\npassive = true\nassembly = 1.8\nlimits = { position = ";
  const Robot limited = parseRobot(kLoop + other_side + "[-3.0, -0.5] }\n", linkage(0.6));
  EXPECT_NEAR(limited.assembly(2), -std::acos(0.0), 1e-12);
  EXPECT_TRUE(limited.warnings.empty());
  // By a full turn within the limits
  const Robot turned = parseRobot(kLoop + other_side + "[-5.0, -4.5] }\n", linkage(0.6));
  EXPECT_NEAR(turned.assembly(2), std::acos(0.0) - 2.0 * std::numbers::pi, 1e-9);
  // Limits of 0 and 0 are unknown.
  std::string exported = linkage(0.6);
  const std::string type = "continuous", rocker = "name=\"c\" type=\"";
  const size_t place = exported.find(rocker) + rocker.size();
  exported.replace(place, type.size(), "revolute");
  exported.insert(exported.find("<axis", place), "<limit lower=\"0\" upper=\"0\"/>");
  const std::string no_limits = other_side.substr(0, other_side.find("limits"));
  const Robot unknown = parseRobot(kLoop + no_limits, exported);
  EXPECT_NEAR(unknown.assembly(2), std::acos(0.0), 1e-12);
  // The driven joint stands in the middle of its limits.
  const Robot driven = parseRobot(
      kLoop + kPassive + "[joint.a]\nlimits = { position = [0.1, 0.5] }\n", linkage(0.6));
  EXPECT_NEAR(driven.assembly(0), 0.3, 1e-12);
  // Nothing closes within the limits.
  const Robot outside = parseRobot(kLoop + other_side + "[-0.2, 0.2] }\n", linkage(0.6));
  EXPECT_THAT(
      outside.warnings,
      Contains(HasSubstr("passive joint c is at 1.571 where the loops close, outside of its "
                         "limits -0.2 to 0.2")));
}

TEST(ApplyLoops, AJointBehindTheLoopIsMovedByIt) {
  const Robot robot = loadRobot(std::string(DYNID_DATASETS_DIR) + "/palletizer/palletizer.toml");
  EXPECT_THAT(robot.jointNames(), ElementsAre("turn", "shoulder", "tool_joint", "crank_joint"));
  EXPECT_EQ(robot.loops.size(), 3U);
  const std::vector<bool> turned = robot.coordinatesMovedBy(0);
  EXPECT_EQ(std::count(turned.begin(), turned.end(), true), 1);  // not part of a loop
  const std::vector<bool> tool = robot.bodiesMovedBy(robot.jointIndex("tool_joint"));
  EXPECT_EQ(std::count(tool.begin(), tool.end(), true), 1);
  // The loop closes at zero as described.
  EXPECT_LT(robot.assembly.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ApplyLoops, WrongNamesAreNamed) {
  std::string wrong = kLoop;
  wrong.replace(wrong.find("\"rocker\""), 8, "\"roker\"");
  EXPECT_THAT(refusal(wrong + kPassive),
              AllOf(StartsWith("robot.toml:1: [[loop]]: the robot has no link \"roker\""),
                    HasSubstr("did you mean \"rocker\"?")));
  EXPECT_THAT(refusal(kLoop + kPassive + "[joint.d]\npassive = true\n"),
              HasSubstr("[joint.d]: the robot has no moving joint of this name"));
}

TEST(ApplyLoops, ALoopNeedsItsLinksAndType) {
  EXPECT_THAT(refusal("[[loop]]\nlink_a = \"crank\"\n"), HasSubstr("needs link_a and link_b"));
  EXPECT_THAT(refusal("[[loop]]\nlink_a = \"crank\"\nlink_b = \"rocker\"\n"),
              HasSubstr("needs a type: revolute"));
  std::string same = kLoop;
  same.replace(same.find("\"rocker\""), 8, "\"coupler\"");
  EXPECT_THAT(refusal(same + kPassive), HasSubstr("they close no chain"));
}

// Found by a fuzzer: three driven joints, and an axis whose equations overflow.
TEST(ApplyLoops, EquationsThatAreNotNumbersAreRefused) {
  const std::string loop =
      "[[loop]]\nlink_a = \"coupler\"\nlink_b = \"rocker\"\ntype = \"spherical\"\n"
      "origin_a = { xyz = [0.0, 0.0, 0.0], rpy = [4.0, 0.1, 0.0] }\naxis = [0.07, 1.0, 1e306]\n";
  EXPECT_THAT(refusal(loop), HasSubstr("the equations of the loops are not numbers"));
}

TEST(ApplyLoops, TooManyOrTooFewDrivenJointsAreCounted) {
  EXPECT_THAT(
      refusal(kLoop + "[joint.b]\npassive = true\nassembly = -1.3\n[joint.c]\nassembly = -1.8\n"),
      AllOf(HasSubstr("the loops leave 1 free motion, and 2 joints are driven (\"a\", \"c\")"),
            HasSubstr("mark 1 more of the loops' joints passive = true"),
            HasSubstr("joints of the loops: \"a\", \"c\", \"b\"")));
  EXPECT_THAT(refusal(kLoop + kPassive + "[joint.a]\npassive = true\n"),
              HasSubstr("mark 1 fewer of the loops' joints passive"));
}

TEST(ApplyLoops, PassiveJointsNeedALoopAndHaveNoDrive) {
  EXPECT_THAT(refusal("[joint.b]\npassive = true\n"),
              HasSubstr("[joint.b]: passive, but no [[loop]] determines it"));
  EXPECT_THAT(refusal(kLoop + kPassive + "friction = [\"viscous\"]\n"),
              HasSubstr("[joint.c]: a passive joint has no drive"));
}

TEST(ApplyLoops, LoopsThatDoNotCloseSayHowWideTheyStayOpen) {
  // 0.3 + 0.5 + 0.4 m do not reach across a base of 2 m.
  EXPECT_THAT(refusal(kLoop + kPassive, 2.0),
              AllOf(StartsWith("robot.toml:1: [[loop]]: loop coupler - rocker stays open by"),
                    HasSubstr(" m and "),
                    HasSubstr("its joints: a, b, c"),
                    HasSubstr("assembly")));
}

TEST(ApplyLoops, ContradictoryLoopsDoNotClose) {
  std::string second = kLoop;
  second.replace(second.find("[0.5, 0.0, 0.0]"), 15, "[0.5, 0.1, 0.0]");
  EXPECT_THAT(refusal(kLoop + second + kPassive), HasSubstr("stays open by"));
  // The same joint twice is redundant but valid.
  EXPECT_EQ(refusal(kLoop + kLoop + kPassive), "accepted");
}

TEST(ApplyLoops, ASingularAssemblyIsRefused) {
  // All joints are collinear: 0.6 + 0.2 = 0.3 + 0.5.
  const std::string flat =
      "[joint.b]\npassive = true\n[joint.c]\npassive = true\n[joint.a]\nassembly = 0.0\n";
  EXPECT_THAT(refusal(kLoop + flat, 0.4),
              AllOf(HasSubstr("do not determine passive joint"), HasSubstr("singular position")));
}

TEST(ApplyLoops, AxesThatPointApartAreSaid) {
  std::string turned = kLoop;
  turned.replace(turned.find("origin_b = { xyz = [0.4, 0.0, 0.0] }"),
                 36,
                 "origin_b = { xyz = [0.4, 0.0, 0.0], rpy = [3.141592653589793, 0.0, 0.0] }");
  EXPECT_THAT(refusal(turned + kPassive), HasSubstr("rotated by half a turn"));
}

TEST(ApplyLoops, FloatingBasesAreRefused) {
  EXPECT_THAT(refusal("base = \"floating\"\n" + kLoop + kPassive),
              HasSubstr("loops of a floating base are not supported"));
}

}  // namespace
}  // namespace dynid
