// From ROS recordings and an MJCF to a validated model, and back into the MJCF.
#include "dynid/core/files.h"
#include "dynid/logs/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bag_writers.h"
#include "tools/child_process.h"
#include "tools/quickstart_files.h"
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

namespace dynid {
namespace {

using ::testing::HasSubstr;

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
    Outcome outcome = dynid(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments.front() << ": " << outcome.err;
    return outcome;
  };
  // The robot as an MJCF, and the recordings.
  run({"export", (kQuickstart + "model.json"), "--mjcf", folder / "arm.xml"});
  writeBag((kQuickstart + "train.h5"), folder / "run.mcap");
  writeBag((kQuickstart + "heldout.h5"), folder / "other.mcap");
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

// Shoulder and wrist have two joints each. Between them there is no mass, in the model either, so
// that the model fits into the user's file.
constexpr const char* kTwoJointsPerBody = R"(<mujoco model="two joints per body">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="pan" axis="0 0 1" range="-3 3"/>
      <joint name="lift" axis="0 1 0" range="-2 2"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.05"/>
      <body name="fore" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" range="-2 2"/>
        <geom type="capsule" fromto="0 0 0 0.25 0 0.05" size="0.04"/>
        <body name="hand" pos="0.25 0 0.05">
          <joint name="bend" axis="0 1 0" range="-2 2"/>
          <joint name="turn" axis="1 0 0" pos="0 0.02 0" range="-3 3"/>
          <geom type="box" size="0.06 0.02 0.03" pos="0.05 0.01 0.02"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
)";

TEST(MjcfWorkflow, NoMassIsIdentifiedBetweenTheJointsOfABody) {
  const TemporaryDirectory folder;
  const std::string robot = folder / "arm.xml";
  writeTextFile(robot, kTwoJointsPerBody);
  const auto simulate = [&](const std::string& log, const std::string& seed) {
    const Outcome run = dynid({"simulate",
                               robot,
                               "--output",
                               log,
                               "--seed",
                               seed,
                               "--truth-seed",
                               "4",
                               "--random-inertia",
                               "--effort-noise",
                               "0.05"});
    ASSERT_EQ(run.status, 0) << run.err;
  };
  simulate(folder / "train.h5", "1");
  simulate(folder / "heldout.h5", "2");
  const Outcome identified = dynid({"identify",
                                    "--robot",
                                    robot,
                                    folder / "train.h5",
                                    "--output",
                                    folder / "model.json",
                                    "--mjcf",
                                    folder / "identified.xml"});
  ASSERT_EQ(identified.status, 0) << identified.err;
  EXPECT_THAT(identified.out, ::testing::Not(HasSubstr("upper:pan")));
  const auto model = nlohmann::json::parse(readTextFile(folder / "model.json"));
  EXPECT_EQ(model.at("consistency").at("prior").at("upper:pan"), "massless");
  // All that the file may change, and that the writer may add: inertias.
  const auto plain = [](const std::string& text) {
    return std::regex_replace(unchanging(text), std::regex("\\s+"), "");
  };
  EXPECT_EQ(plain(readTextFile(folder / "identified.xml")), plain(kTwoJointsPerBody));
  // The proof of optimality refers to the links that have mass.
  const Outcome validated =
      dynid({"validate", "--model", folder / "model.json", folder / "heldout.h5", "--json"});
  ASSERT_EQ(validated.status, 0) << validated.err << validated.out.substr(0, 500);
  const auto checks = nlohmann::json::parse(validated.out).at("checks");
  for (const char* name : {"certificate", "physically_consistent"})
    EXPECT_EQ(checks.at(name).at("outcome"), "passed") << checks.at(name);
}

TEST(MjcfWorkflow, AUrdfCannotBeWrittenForARobotOfAnMjcf) {
  const TemporaryDirectory folder;
  ASSERT_EQ(dynid({"export", (kQuickstart + "model.json"), "--mjcf", folder / "arm.xml"}).status,
            0);
  const Outcome run = dynid({"identify",
                             "--robot",
                             folder / "arm.xml",
                             (kQuickstart + "train.h5"),
                             "--urdf",
                             folder / "out.urdf"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("the robot is described by an MJCF; use --mjcf"));
  EXPECT_THAT(folder.files(), ::testing::Not(::testing::Contains("out.urdf")));
}

}  // namespace
}  // namespace dynid
