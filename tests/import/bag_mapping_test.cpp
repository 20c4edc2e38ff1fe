#include "dynid/import/bag_mapping.h"

#include "dynid/logs/inspect.h"

#include "import/imported_bag.h"
#include <numbers>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

/// A recording of two joints and a mapping file without columns.
class BagMapping : public ImportBag {
 protected:
  std::filesystem::path map() const { return directory_.file("map.toml"); }
  BagImportOptions mapped(const std::string& text) const {
    writeText(map(), text);
    BagImportOptions options;
    options.mapping = map();
    return options;
  }
  static void fill(TestMcap& file) {
    file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
    for (int i = 1; i < 4; ++i) file.message(1, i, jointStateBytes(state(1000 * kMs + i * kMs, i)));
  }
  ImportResult importMapped(const std::string& text) const {
    TestMcap file;
    fill(file);
    return import(file, mapped(text));
  }
  std::string mappedComplaint(const std::string& text) const {
    TestMcap file;
    fill(file);
    std::filesystem::remove(log());
    return complaint<InputError>(file, mapped(text));
  }
};

TEST_F(BagMapping, UnitsSignsAndScales) {
  const ImportResult result = importMapped(
      "[position]\nunit = \"deg\"\n[velocity]\nunit = \"deg/s\"\n"
      "[effort]\nsign = [1, -1]\nscale = 10\n");
  const double degree = std::numbers::pi / 180.0;
  EXPECT_TRUE(imported().position.row(1).isApprox(degree * Eigen::RowVector2d(2, -2)));
  EXPECT_TRUE(imported().velocity.row(1).isApprox(degree * Eigen::RowVector2d(4, 6)));
  EXPECT_EQ(imported().effort.row(1), Eigen::RowVector2d(80, -100));
  EXPECT_THAT(result.notes,
              IsSupersetOf({"position multiplied by 0.0174533 (mapping file): all joints",
                            "effort multiplied by -10 (mapping file): b",
                            "effort multiplied by 10 (mapping file): a"}));
}

TEST_F(BagMapping, AnglesInDegreesAreMadeContinuous) {
  TestMcap file;
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  for (int i = 0; i < 6; ++i) {
    TestJointState message = state(1000 * kMs + i * kMs, 0.0);
    message.position[0] = i < 3 ? 177.0 + i : -183.0 + i;
    file.message(1, i, jointStateBytes(message));
  }
  import(file, mapped("[position]\nunit = \"deg\"\n"));
  EXPECT_NEAR(imported().position(5, 0), 182.0 * std::numbers::pi / 180.0, 1e-12);
}

TEST_F(BagMapping, CurrentsInTheFieldOfEfforts) {
  const ImportResult result = importMapped("[current]\nunit = \"mA\"\n");
  EXPECT_EQ(result.effort_kind, EffortKind::kCurrent);
  EXPECT_EQ(LogReader(log()).info().effort_kind, EffortKind::kCurrent);
  EXPECT_TRUE(imported().effort.row(1).isApprox(Eigen::RowVector2d(0.008, 0.010)));
  EXPECT_EQ(result.taken.back().channel, "current");
}

TEST_F(BagMapping, JointsAndPayload) {
  const ImportResult result = importMapped(
      "joints = [\"b\", \"a\"]\nrobot = \"arm\"\n[effort]\nsign = [1, -1]\n"
      "[payload]\nlink = \"tool\"\nmass = 2\n");
  EXPECT_THAT(result.joint_names, ElementsAre("b", "a"));
  EXPECT_EQ(imported().effort.row(0), Eigen::RowVector2d(5, -4));
  EXPECT_EQ(LogReader(log()).info().robot, "arm");
  EXPECT_EQ(LogReader(log()).info().payload->mass, 2.0);
}

TEST_F(BagMapping, WhatDoesNotFitARecording) {
  EXPECT_EQ(mappedComplaint("sample_rate_hz = 100\n"),
            "map.toml:1: sample_rate_hz is for tables of text; a ROS recording needs no such key");
  EXPECT_EQ(mappedComplaint("[effort]\ncolumns = [1, 2]\n"),
            "map.toml:2: the messages of a ROS recording have no columns; leave this key out");
  EXPECT_EQ(mappedComplaint("[acceleration]\nsign = -1\n"),
            "map.toml:1: [acceleration] has no `columns`, and none were recognised that it could "
            "change");
  EXPECT_EQ(mappedComplaint("[effort]\nsign = [1, 1, -1]\n"),
            "map.toml:2: sign has 3 entries for 2 joints");
  TestMcap file;
  fill(file);
  BagImportOptions options = mapped("joints = [\"a\"]\n");
  options.joints = {"b"};
  EXPECT_EQ(complaint<UsageError>(file, options),
            "`joints` are given, and joints in the mapping file; keep one");
}

}  // namespace
}  // namespace dynid
