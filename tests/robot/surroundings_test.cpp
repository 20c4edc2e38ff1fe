#include "dynid/robot/surroundings.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dynid {
namespace {

using testing::HasSubstr;

const char* const kUrdf =
    R"(<robot name="r"><link name="base"/><link name="arm"/><link name="tool"/>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
<joint name="f" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="1 0 0"/></joint>
</robot>)";

Surroundings of(const std::string& description) {
  const Robot robot = parseRobot(description, kUrdf, {}, "r.toml", "r.urdf");
  return surroundingsOf(robot, "r.toml");
}

std::string refusalOf(const std::string& description) {
  try {
    of(description);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Surroundings, AreReadFromTheDescription) {
  const Surroundings s = of(R"([ground]
height = -0.2
[[obstacle.box]]
name = "table"
center = [1, 2, 3]
size = [0.2, 0.4, 0.6]
rpy = [0, 0, 1.5707963267948966]
[[obstacle.box]]
center = [0, 0, 9]
size = [1, 1, 1]
[workspace]
link = "tool"
lower = [-1, -1, 0]
upper = [1, 1, 2]
[collision]
ignore = ["base tool"]
[[collision.capsule]]
link = "arm"
from = [0, 0, 0]
to = [1, 0, 0]
radius = 0.1
[[collision.sphere]]
link = "base"
center = [0, 0, 0.1]
radius = 0.3
)");
  EXPECT_FALSE(s.empty());
  EXPECT_EQ(s.ground, -0.2);
  ASSERT_EQ(s.boxes.size(), 2U);
  EXPECT_EQ(s.boxes[0].name, "table");
  EXPECT_LT((s.boxes[0].half - Eigen::Vector3d(0.1, 0.2, 0.3)).norm(), 1e-15);
  EXPECT_NEAR(s.boxes[0].R(1, 0), 1.0, 1e-15);
  EXPECT_EQ(s.boxes[1].name, "box 2");
  ASSERT_TRUE(s.workspace.has_value());
  EXPECT_EQ(s.workspace->link, "tool");
  ASSERT_EQ(s.capsules.size(), 2U);
  EXPECT_EQ(s.capsules[0].to.x(), 1.0);
  EXPECT_EQ(s.capsules[1].from, s.capsules[1].to);
  ASSERT_EQ(s.ignored_pairs.size(), 1U);
  EXPECT_EQ(s.ignored_pairs[0][1], "tool");
}

TEST(Surroundings, ABareDescriptionHasNone) { EXPECT_TRUE(of("").empty()); }

// The example of datasets/README.md, with the quickstart arm.
TEST(Surroundings, TheExampleOfTheDocumentationIsRead) {
  const std::string datasets = DYNID_DATASETS_DIR, begin = "```toml\n[ground]";
  const std::string page = readTextFile(datasets + "/README.md");
  const size_t from = page.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::string example = page.substr(from + 8, page.find("```", from + 8) - from - 8);
  const Robot robot = parseRobot(example, readTextFile(datasets + "/quickstart/arm.urdf"));
  const Surroundings s = surroundingsOf(robot, "arm.toml");
  EXPECT_EQ(s.ground, 0.0);
  EXPECT_EQ(s.boxes.size(), 1U);
  EXPECT_TRUE(s.workspace.has_value());
  EXPECT_EQ(s.capsules.size(), 2U);
  EXPECT_EQ(s.ignored_pairs.size(), 1U);
}

TEST(Surroundings, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(
      refusalOf("[[collision.capsule]]\nlink = \"arn\"\nfrom = [0,0,0]\nto = [1,0,0]\n"
                "radius = 0.1\n"),
      HasSubstr("r.toml:1: [[collision.capsule]]: the robot has no link \"arn\"; did you mean "
                "\"arm\"?"));
  EXPECT_THAT(refusalOf("[[collision.capsule]]\nlink = \"arm\"\nfrom = [0,0,0]\nradius = 0.1\n"),
              HasSubstr("needs to, as [x, y, z]"));
  EXPECT_THAT(refusalOf("[[collision.sphere]]\nlink = \"arm\"\ncenter = [0,0,0]\nradius = -1\n"),
              HasSubstr("radius"));
  EXPECT_THAT(refusalOf("[[obstacle.box]]\ncenter = [0,0,0]\nsize = [1,0,1]\n"),
              HasSubstr("must be positive"));
  EXPECT_THAT(refusalOf("[obstacle]\nbal = 1\n"), HasSubstr("unknown key \"bal\""));
  EXPECT_THAT(refusalOf("[ground]\nhight = 1\n"), HasSubstr("did you mean \"height\"?"));
  EXPECT_THAT(refusalOf("[workspace]\nlink = \"tool\"\nlower = [0,0,0]\nupper = [1,0,1]\n"),
              HasSubstr("is not below upper"));
  EXPECT_THAT(refusalOf("[collision]\nignore = [\"arm\"]\n"), HasSubstr("is not a pair of links"));
}

}  // namespace
}  // namespace dynid
