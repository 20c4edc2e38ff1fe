// Closed loops through the program.
#include "dynid/core/files.h"

#include <gmock/gmock.h>

#include "tools/child_process.h"
#include <nlohmann/json.hpp>

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
  EXPECT_THAT(outcome.out + outcome.err,
              AllOf(HasSubstr("a URDF holds no closed chains"), HasSubstr("coupler - rocker")));
}

TEST(ClosedLoops, ExciteRefusesThemInWords) {
  const TemporaryDirectory directory;
  const Outcome outcome =
      dynid({"excite", kFourBar, "--output", directory / "t.h5", "--seconds", "1"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("robot \"four_bar\" has closed loops"));
}

TEST(ClosedLoops, AMotionBeyondTheMechanismsReachIsRefusedInWords) {
  const TemporaryDirectory directory;
  // driven at the rocker, which swings between dead centres only
  std::string description = readTextFile(std::string(DYNID_SOURCE_DIR) + "/" + kFourBar);
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(description.find(from), std::string::npos) << from;
    description.replace(description.find(from), from.size(), to);
  };
  replace("\"four_bar.urdf\"", "\"" DYNID_SOURCE_DIR "/datasets/four_bar/four_bar.urdf\"");
  replace(
      "friction = [\"viscous\", \"coulomb\", \"offset\"]\nlimits = { velocity = 8.0, acceleration "
      "= 60.0 }",
      "passive = true");
  replace("passive = true\nassembly = 1.7", "assembly = 1.7");
  writeTextFile(directory / "driven_rocker.toml", description);
  const Outcome outcome =
      dynid({"simulate", directory / "driven_rocker.toml", "--output", directory / "log.h5"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("rocker_joint = "),
                    HasSubstr("keep the driven joints, by their limits, where all loops close")));
}

}  // namespace
}  // namespace dynid
