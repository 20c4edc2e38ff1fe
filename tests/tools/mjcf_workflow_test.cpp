// From ROS recordings and an MJCF to a validated model, and back into the MJCF.
#include "dynid/core/files.h"
#include "dynid/logs/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bag_writers.h"
#include "tools/child_process.h"
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

namespace dynid {
namespace {

using ::testing::HasSubstr;

std::string quickstart(const std::string& name) {
  return std::string(DYNID_DATASETS_DIR) + "/quickstart/" + name;
}

/// The log as messages of a robot: the order of the joints and the byte order differ from message
/// to message.
void writeBag(const std::string& log, const std::string& bag) {
  const LogReader reader(log);
  const std::int64_t rows = reader.info().rows;
  RawBlock block;
  reader.read(0, rows, block);
  TestMcap file("zstd");
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  const auto joints = static_cast<size_t>(block.position.cols());
  for (Eigen::Index i = 0; i < rows; ++i) {
    TestJointState state;
    state.stamp = 1'700'000'000'000'000'000 + std::llround(1e9 * block.time(i));
    for (size_t j = 0; j < joints; ++j) {
      const size_t k = (j + static_cast<size_t>(i)) % joints;
      const auto column = static_cast<Eigen::Index>(k);
      state.names.push_back(reader.joints()[k]);
      state.position.push_back(block.position(i, column));
      if (block.velocity.size() > 0) state.velocity.push_back(block.velocity(i, column));
      state.effort.push_back(block.effort(i, column));
    }
    file.message(1, state.stamp, jointStateBytes(state, i % 2 == 1));
    if (i % 1000 == 999) file.endChunk();
  }
  writeBytes(bag, file.finish());
}

/// The text without the parts that an export may change.
std::string unchanging(std::string text) {
  text = std::regex_replace(text, std::regex("<inertial\\b[^>]*/>"), "");
  return std::regex_replace(text, std::regex(" (damping|frictionloss|armature)=\"[^\"]*\""), "");
}

TEST(MjcfWorkflow, ThreeCommandsLeadFromABagAndAnMjcfToAValidatedModel) {
  const TemporaryDirectory folder;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = dynid(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments.front() << ": " << outcome.err;
    return outcome;
  };
  // The robot as an MJCF, and the recordings.
  run({"export", quickstart("model.json"), "--mjcf", folder / "arm.xml"});
  writeBag(quickstart("train.h5"), folder / "run.mcap");
  writeBag(quickstart("heldout.h5"), folder / "other.mcap");
  run({"import", folder / "other.mcap", "--output", folder / "other.h5"});

  run({"import", folder / "run.mcap", "--output", folder / "run.h5"});
  run({"identify",
       "--robot",
       folder / "arm.xml",
       folder / "run.h5",
       "--output",
       folder / "model.json",
       "--mjcf",
       folder / "identified.xml"});
  const Outcome validated =
      run({"validate", "--model", folder / "model.json", folder / "other.h5", "--json"});
  EXPECT_EQ(nlohmann::json::parse(validated.out).at("verdict"), "passed")
      << validated.out.substr(0, 500);

  EXPECT_THAT(readTextFile(folder / "model.json"), HasSubstr("<mujoco"));
  EXPECT_EQ(unchanging(readTextFile(folder / "identified.xml")),
            unchanging(readTextFile(folder / "arm.xml")));
  // Exporting from the model file gives the same files, and the exported MJCF can be used as a
  // robot.
  run({"export", folder / "model.json", "--mjcf", folder / "again.xml", "--c", folder / "arm.c"});
  EXPECT_EQ(readTextFile(folder / "again.xml"), readTextFile(folder / "identified.xml"));
  const Outcome same =
      run({"validate", "--robot", folder / "identified.xml", folder / "other.h5", "--json"});
  EXPECT_TRUE(nlohmann::json::parse(same.out).contains("verdict"));
}

TEST(MjcfWorkflow, AUrdfCannotBeWrittenForARobotOfAnMjcf) {
  const TemporaryDirectory folder;
  ASSERT_EQ(dynid({"export", quickstart("model.json"), "--mjcf", folder / "arm.xml"}).status, 0);
  const Outcome run = dynid({"identify",
                             "--robot",
                             folder / "arm.xml",
                             quickstart("train.h5"),
                             "--urdf",
                             folder / "out.urdf"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("the robot is described by an MJCF; use --mjcf"));
  EXPECT_THAT(folder.files(), ::testing::Not(::testing::Contains("out.urdf")));
}

}  // namespace
}  // namespace dynid
