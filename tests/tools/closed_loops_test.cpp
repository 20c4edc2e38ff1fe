// Closed loops through the command line.
#include "dynid/core/files.h"
#include "dynid/logs/log_writer.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"
#include "tools/child_process.h"
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kFourBar = "datasets/four_bar/four_bar.toml";

TEST(ClosedLoops, CheckListsPassiveJointsAndLoopsAndAllFormulationsAgree) {
  const Outcome text = dynid({"check", kFourBar});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("coupler_joint           passive, assembled at 0.8726"));
  EXPECT_THAT(text.out, HasSubstr("coupler - rocker, revolute"));
  EXPECT_THAT(text.out, HasSubstr("8 base parameters"));
  const Outcome json = dynid({"check", "datasets/palletizer/palletizer.toml", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  const nlohmann::json result = nlohmann::json::parse(json.out);
  EXPECT_EQ(result.at("loops").size(), 3U);
  EXPECT_EQ(result.at("passive_joints").size(), 6U);
  EXPECT_EQ(result.at("base_parameters").at("count"), 25);
  for (const auto& row : result.at("formulations"))
    if (row.at("applies")) {
      EXPECT_LE(row.at("max_relative_disagreement"), row.at("tolerance")) << row.at("name");
    }
}

TEST(ClosedLoops, SimulateIdentifyValidateNeedOnlyTheDrivenJoints) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5", truth = directory / "truth.json",
                    model = directory / "model.json";
  ASSERT_EQ(dynid({"simulate",
                   kFourBar,
                   "--output",
                   log,
                   "--truth-seed",
                   "3",
                   "--save-truth",
                   truth,
                   "--duration",
                   "15",
                   "--fundamental",
                   "0.2",
                   "--quiet"})
                .status,
            0);
  const Outcome identified =
      dynid({"identify", "--robot", kFourBar, log, "--output", model, "--quiet"});
  EXPECT_EQ(identified.status, 0) << identified.err;
  const Outcome validated =
      dynid({"validate", "--model", model, "datasets/four_bar/heldout.h5", "--json"});
  EXPECT_EQ(validated.status, 0) << validated.err;
  const nlohmann::json result = nlohmann::json::parse(validated.out);
  // the held-out log carries 2 % of noise
  EXPECT_LT(result.at("per_joint").at("crank_joint").at("relative_error_moving"), 0.05);
  EXPECT_EQ(result.at("checks").at("power_balance").at("outcome"), "passed") << result.at("checks");
}

TEST(ClosedLoops, ExportSaysWhatAUrdfCannotHold) {
  const TemporaryDirectory directory;
  const Outcome outcome = dynid({"identify",
                                 "--robot",
                                 kFourBar,
                                 "datasets/four_bar/train.h5",
                                 "--output",
                                 directory / "m.json",
                                 "--urdf",
                                 directory / "out.urdf"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out + outcome.err,
      AllOf(HasSubstr("a URDF cannot represent closed chains"), HasSubstr("coupler - rocker")));
}

TEST(ClosedLoops, ExciteDesignsInTheDrivenJointsAndSimulateFollows) {
  const TemporaryDirectory directory;
  const std::string trajectory = directory / "t.h5", log = directory / "log.h5";
  const Outcome excited = dynid({"excite",
                                 kFourBar,
                                 "--output",
                                 trajectory,
                                 "--starts",
                                 "1",
                                 "--duration",
                                 "5",
                                 "--harmonics",
                                 "3",
                                 "--json"});
  ASSERT_EQ(excited.status, 0) << excited.err;
  const nlohmann::json design = nlohmann::json::parse(excited.out);
  EXPECT_TRUE(design.at("feasible"));
  EXPECT_EQ(design.at("limits").size(), 1U);
  EXPECT_LT(design.at("condition_number"), 1e4);
  const Outcome simulated =
      dynid({"simulate", kFourBar, "--trajectory", trajectory, "--output", log, "--quiet"});
  EXPECT_EQ(simulated.status, 0) << simulated.err;
  const Outcome identified =
      dynid({"identify", "--robot", kFourBar, log, "--output", directory / "m.json", "--quiet"});
  EXPECT_EQ(identified.status, 0) << identified.err;
}

TEST(ClosedLoops, EverySolverSimulatesWithItsLoopsClosed) {
  const TemporaryDirectory directory;
  for (const char* solver :
       {"augmented", "direct", "projected", "embedded", "udwadia-kalaba", "maggi"}) {
    const Outcome outcome = dynid({"simulate",
                                   kFourBar,
                                   "--integrator",
                                   solver,
                                   "--duration",
                                   "5",
                                   "--output",
                                   directory / "log.h5"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(std::string("integrated by ") + solver));
  }
  const Outcome tree = dynid({"simulate",
                              "datasets/quickstart/arm.toml",
                              "--integrator",
                              "direct",
                              "--output",
                              directory / "arm.h5"});
  EXPECT_EQ(tree.status, 2);
  EXPECT_THAT(tree.err, HasSubstr("has no [[loop]]"));
}

/// A log with a column for every joint of the tree, the passive ones without effort.
std::string fullLog(const TemporaryDirectory& directory) {
  std::string log = directory / "full.h5";
  EXPECT_EQ(dynid({"simulate",
                   kFourBar,
                   "--output",
                   log,
                   "--passive-joints",
                   "--fundamental",
                   "0.2",
                   "--duration",
                   "15",
                   "--quiet"})
                .status,
            0);
  return log;
}

std::string edited(const std::vector<std::pair<std::string, std::string>>& replacements) {
  std::string description = readTextFile(std::string(DYNID_SOURCE_DIR) + "/" + kFourBar);
  std::vector<std::pair<std::string, std::string>> all = replacements;
  all.emplace_back("\"four_bar.urdf\"", "\"" DYNID_SOURCE_DIR "/datasets/four_bar/four_bar.urdf\"");
  for (const auto& [from, to] : all) {
    EXPECT_NE(description.find(from), std::string::npos) << from;
    for (size_t at = description.find(from); at != std::string::npos;
         at = description.find(from, at + to.size()))
      description.replace(at, from.size(), to);
  }
  return description;
}

TEST(ClosedLoops, ALogOfAllJointsGivesTheSameModelAsOneOfTheDrivenOnes) {
  const TemporaryDirectory directory;
  const std::string log = fullLog(directory);
  const Outcome identified =
      dynid({"identify", "--robot", kFourBar, log, "--output", directory / "m.json"});
  EXPECT_EQ(identified.status, 0) << identified.err;
  EXPECT_THAT(identified.out + identified.err, ::testing::Not(HasSubstr("passive joint")));
}

TEST(ClosedLoops, WithoutPassiveKeysTheDrivenJointsAreChosenAndSaid) {
  const TemporaryDirectory directory;
  const std::string robot = directory / "robot.toml";
  writeTextFile(robot, edited({{"passive = true", ""}}));
  const Outcome check = dynid({"check", robot});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out,
              AllOf(HasSubstr("these are taken to have motors: crank_joint"),
                    HasSubstr("8 base parameters")));
  const Outcome identified = dynid({"identify",
                                    "--robot",
                                    robot,
                                    fullLog(directory),
                                    "--output",
                                    directory / "m.json",
                                    "--quiet"});
  EXPECT_EQ(identified.status, 0) << identified.err;
}

TEST(ClosedLoops, PassiveColumnsOfAnotherAssemblyAreRefusedWithTheRemedy) {
  const TemporaryDirectory directory;
  const std::string robot = directory / "robot.toml", log = fullLog(directory);
  writeTextFile(
      robot,
      edited({{"assembly = 0.9", "assembly = -1.3"},
              {"assembly = 1.7", "assembly = -1.7\nlimits = { position = [-3.2, 3.2] }"}}));
  const Outcome other =
      dynid({"identify", "--robot", robot, log, "--output", directory / "m.json", "--quiet"});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err,
              AllOf(HasSubstr("passive joint \"rocker_joint\": the log has it"),
                    HasSubstr(" rad from the position that follows from the loops"),
                    HasSubstr("give `assembly` in [joint.rocker_joint]")));
  EXPECT_THAT(directory.files(), ::testing::UnorderedElementsAre("robot.toml", "full.h5"));
}

/// The four-bar linkage driven at the rocker, which can only swing between dead centres.
std::string drivenRocker() {
  return edited({{"friction = [\"viscous\", \"coulomb\", \"offset\"]\nlimits = { velocity = "
                  "8.0, acceleration = 60.0 }",
                  "passive = true"},
                 {"passive = true\nassembly = 1.7", "assembly = 1.7"}});
}

/// A log of crank and rocker over full turns of the crank, as if the rocker were driven.
std::string turningLog(const TemporaryDirectory& directory) {
  constexpr Eigen::Index kRows = 3000;
  LogHeader header;
  header.joint_names = {"crank_joint", "rocker_joint"};
  header.prismatic = {false, false};
  header.has_velocity = false;
  RawBlock block;
  block.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, 0.005 * (kRows - 1));
  block.position.resize(kRows, 2);
  block.effort.setZero(kRows, 2);
  const support::FourBar exact;
  for (Eigen::Index i = 0; i < kRows; ++i) {
    const double u = 1.5 * block.time(i);
    block.position.row(i) << u, std::remainder(exact.rockerAngle(u), 2.0 * M_PI);
    block.effort(i, 1) = std::sin(1.3 * u) + std::cos(u);
  }
  std::string log = directory / "turning.h5";
  LogWriter writer(log, header);
  writer.append(block);
  writer.finish();
  return log;
}

TEST(ClosedLoops, ALogThatPassesDeadCentresIsRefusedInWords) {
  const TemporaryDirectory directory;
  const std::string robot = directory / "robot.toml", log = turningLog(directory);
  writeTextFile(robot, drivenRocker());
  const Outcome outcome =
      dynid({"identify", "--robot", robot, log, "--output", directory / "m.json", "--quiet"});
  EXPECT_EQ(outcome.status, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("rocker_joint = "), HasSubstr("crank_joint")));
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("nan")));
  EXPECT_THAT(directory.files(), ::testing::UnorderedElementsAre("robot.toml", "turning.h5"));
}

}  // namespace
}  // namespace dynid
