// The workflow of a user: the commands of the README and of every --help are run as printed.
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include <filesystem>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A directory that contains `datasets/quickstart/...` and receives all outputs.
class Desk {
 public:
  Desk() {
    std::filesystem::create_directory_symlink(std::string(DYNID_SOURCE_DIR) + "/datasets",
                                              directory_ / "datasets");
  }
  Outcome run(const std::string& command_line) const {
    RunOptions options;
    options.directory = directory_ / "";
    return dynid(argumentsOf(command_line), options);
  }
  std::string operator/(const std::string& name) const { return directory_ / name; }

 private:
  TemporaryDirectory directory_;
};

/// Sanitizers make the program ten times slower: searches of ten seconds become searches from one
/// start, however long it takes.
std::string withTimeFor(const std::string& command) {
  const std::string limit = "--seconds 10";
  const size_t at = command.find(limit);
  if (!DYNID_SANITIZED || at == std::string::npos) return command;
  return command.substr(0, at) + "--starts 1" + command.substr(at + limit.size());
}

/// The commands in the indented blocks of a page.
std::vector<std::string> commandsOf(const std::string& page) {
  const std::string text = readTextFile(std::string(DYNID_SOURCE_DIR) + "/" + page);
  std::vector<std::string> commands;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with("    dynid ")) commands.push_back(line.substr(4));
    begin = end + 1;
  }
  return commands;
}

void expectCommandsRun(const std::string& page, size_t at_least) {
  const Desk desk;
  const std::vector<std::string> commands = commandsOf(page);
  ASSERT_GE(commands.size(), at_least);
  for (const std::string& command : commands) {
    const Outcome run = desk.run(withTimeFor(command));
    // On a busy machine a search of some seconds may find only a poor motion.
    const bool out_of_time = command.find("--seconds") != std::string::npos &&
                             run.err.find("poor motion") != std::string::npos;
    EXPECT_EQ(run.status, out_of_time ? 1 : 0) << command << "\n" << run.out << run.err;
  }
}

TEST(Workflow, TheCommandsOfTheReadmeRun) { expectCommandsRun("README.md", 5); }

TEST(Workflow, TheCommandsOfTheManualRun) { expectCommandsRun("tools/README.md", 20); }

TEST(Workflow, TheFirstLineOfEveryHelpRuns) {
  const Desk desk;
  for (const char* command :
       {"import", "check", "simulate", "inspect", "identify", "validate", "export"}) {
    const std::string help = desk.run(std::string("dynid ") + command + " --help").out;
    const std::string line = help.substr(0, help.find('\n'));
    const Outcome run = desk.run(line);
    EXPECT_EQ(run.status, 0) << line << "\n" << run.out << run.err;
  }
}

TEST(Workflow, EstimatedMotionIsUsedStoredAndValidated) {
  const Desk desk;
  const std::string identify =
      "dynid identify --robot datasets/quickstart/arm.toml "
      "datasets/quickstart/train.h5 --output m.json --motion ";
  const Outcome identified = desk.run(identify + "estimated");
  EXPECT_EQ(identified.status, 0) << identified.err;
  EXPECT_THAT(identified.out, HasSubstr("motion estimated together with the parameters"));
  const auto model = nlohmann::json::parse(readTextFile(desk / "m.json"));
  EXPECT_EQ(model["signals"]["motion"], "estimated");
  EXPECT_THAT(model["provenance"]["logs"][0]["notes"].dump(), HasSubstr("converged in "));
  const Outcome validated =
      desk.run("dynid validate --model m.json datasets/quickstart/heldout.h5");
  EXPECT_EQ(validated.status, 0) << validated.out << validated.err;
  const Outcome unknown = desk.run(identify + "smoothed");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("--motion smoothed: is not one of filtered, spline, estimated"));
}

TEST(Workflow, FromALogToAValidatedModelInJson) {
  const Desk desk;
  const std::string arm = "datasets/quickstart/arm.toml";
  const Outcome identified = desk.run(
      "dynid identify --robot " + arm +
      " datasets/quickstart/train.h5 --output m.json --urdf out.urdf --report r.html --json");
  ASSERT_EQ(identified.status, 0) << identified.err;
  const auto model = nlohmann::json::parse(identified.out);
  EXPECT_EQ(model, nlohmann::json::parse(readTextFile(desk / "m.json")));
  EXPECT_EQ(model.at("format"), "dynid-model");
  EXPECT_TRUE(model.at("status").at("usable"));
  EXPECT_TRUE(model.at("consistency").at("feasible"));
  EXPECT_LE(model.at("consistency").at("relative_duality_gap"), 1e-6);
  EXPECT_THAT(model.at("provenance").at("command").get<std::string>(),
              HasSubstr("dynid identify --robot " + arm));
  EXPECT_THAT(readTextFile(desk / "r.html"), HasSubstr("</html>"));

  const Outcome validated = desk.run(
      "dynid validate --model m.json datasets/quickstart/heldout.h5 --output p.h5 --report v.html "
      "--json");
  EXPECT_EQ(validated.status, 0) << validated.out << validated.err;
  const auto result = nlohmann::json::parse(validated.out);
  EXPECT_EQ(result.at("verdict"), "passed");
  // The noise in every channel is 2 % of its rms effort: the true model cannot predict a moving
  // joint better, a good one not much worse. (At standstill friction takes any value inside its
  // band.)
  for (const auto& [joint, score] : result.at("per_joint").items()) {
    EXPECT_LT(score.at("relative_error_moving"), 0.03) << joint;
    EXPECT_GT(score.at("relative_error_moving"), 0.015) << joint;
  }
  EXPECT_THAT(desk.run("dynid inspect p.h5").out, HasSubstr("prediction"));
  EXPECT_THAT(desk.run("dynid inspect m.json").out, HasSubstr("quickstart_arm"));

  // The identified URDF is as good as the model, except for effects that a URDF cannot represent.
  const Outcome checked = desk.run("dynid check out.urdf --json");
  EXPECT_EQ(checked.status, 0) << checked.err;
  const auto json = nlohmann::json::parse(checked.out);
  for (const auto& [link, verdict] : json.at("plausibility").items())
    EXPECT_TRUE(verdict.at("physical")) << link;
}

TEST(Workflow, AModelWithoutCertificateIsNotVerifiable) {
  const Desk desk;
  ASSERT_EQ(desk.run("dynid identify --robot datasets/quickstart/arm.toml "
                     "datasets/quickstart/train.h5 --output m.json "
                     "--no-certificate --quiet")
                .status,
            0);
  const auto result = nlohmann::json::parse(
      desk.run("dynid validate --model m.json datasets/quickstart/heldout.h5 --json").out);
  EXPECT_THAT(result.at("checks").at("certificate").dump(), HasSubstr("not"));
}

TEST(Workflow, AFailedVerdictIsExitStatusOne) {
  const Desk desk;
  const Outcome run = desk.run(
      "dynid validate --robot datasets/quickstart/arm.toml datasets/quickstart/heldout.h5 "
      "--max-relative-error 1e-6 --json");
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out).at("verdict"), "failed");
}

// The log does not say that the robot carried something that the training logs did not have.
TEST(Workflow, ValidateTakesThePayloadOfALog) {
  const Desk desk;
  const std::string model = "--model datasets/quickstart/model.json ";
  const Outcome simulated = desk.run("dynid simulate " + model +
                                     "--payload tool0:2 --duration 8 --output run.h5 --quiet");
  ASSERT_EQ(simulated.status, 0) << simulated.err;
  removeFromFile(desk / "run.h5", "payload");
  const auto error_with = [&](const std::string& options) {
    const Outcome run = desk.run("dynid validate " + model + "run.h5 --json " + options);
    return nlohmann::json::parse(run.out).at("relative_error").get<double>();
  };
  EXPECT_GT(error_with(""), 0.2);
  EXPECT_LT(error_with("--payload run.h5=tool0:2"), 0.01);
  const Outcome misspelt = desk.run("dynid validate " + model + "run.h5 --payload rum.h5=tool0:2");
  EXPECT_EQ(misspelt.status, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("\"rum.h5\" is none of the logs"));
}

TEST(Workflow, InitDescriptionLoadsAsTheUrdfDoes) {
  const Desk desk;
  const Outcome to_stdout = desk.run("dynid check datasets/quickstart/arm.urdf --init-description");
  EXPECT_EQ(to_stdout.status, 0) << to_stdout.err;
  ASSERT_EQ(
      desk.run("dynid check datasets/quickstart/arm.urdf --init-description --output own.toml")
          .status,
      0);
  const Outcome check = desk.run("dynid check own.toml");
  EXPECT_EQ(check.status, 0) << check.err;
}

// 23 % of the effort of one joint is below every other threshold.
TEST(Workflow, ValidateFailsWithTheJointThatIsPredictedFarWorseThanInTheTrainingLogs) {
  const Desk desk;
  writeEditedLog(desk / "own.h5");
  ASSERT_EQ(desk.run("dynid identify --robot datasets/quickstart/arm.toml own.h5 --output own.json "
                     "--quiet")
                .status,
            0);
  writeEditedLog(desk / "strong.h5",
                 [](RawBlock& block, LogHeader&) { block.effort.col(1) *= 1.3; });
  const Outcome strong = desk.run("dynid validate --model own.json strong.h5 --json");
  EXPECT_EQ(strong.status, 1);
  const auto joints = nlohmann::json::parse(strong.out).at("joints");
  EXPECT_EQ(joints.at("joint_1").at("verdict"), "passed");
  EXPECT_EQ(joints.at("joint_2").at("verdict"), "failed");
  EXPECT_GT(joints.at("joint_2").at("error_over_training"), 4.0);
  EXPECT_THAT(joints.at("joint_2").at("reasons").at(0),
              HasSubstr("times that of the training logs, above 4 (--max-error-over-training)"));
  const Outcome wrong =
      desk.run("dynid validate --model own.json strong.h5 --max-error-over-training 0.5");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err,
              HasSubstr("max-error-over-training is 0.5; expected a number of at least 1"));
}

// A log with one mistake is named as the culprit, not the model; a training log is recognised.
TEST(Workflow, ValidateTellsAWrongLogFromAWrongModel) {
  const Desk desk;
  const std::string arm = "datasets/quickstart/arm.toml";
  const Outcome identified =
      desk.run("dynid identify --robot " + arm + " datasets/quickstart/train.h5 --output m.json");
  ASSERT_EQ(identified.status, 0) << identified.err;
  EXPECT_THAT(identified.out, HasSubstr("of the unfiltered effort, all samples, cross-validated"));
  EXPECT_THAT(identified.out, HasSubstr("noise floor"));
  EXPECT_THAT(identified.out, HasSubstr("next: dynid validate --model m.json HELDOUT.h5"));

  const Outcome trained = desk.run("dynid validate --model m.json datasets/quickstart/train.h5");
  EXPECT_THAT(trained.out, ::testing::ContainsRegex("THIS IS A[[:space:]]+TRAINING LOG"));
  EXPECT_THAT(trained.out, HasSubstr("the model was trained on this log"));
  const Outcome heldout = desk.run("dynid validate --model m.json datasets/quickstart/heldout.h5");
  EXPECT_EQ(heldout.status, 0) << heldout.out;
  EXPECT_THAT(heldout.out, Not(HasSubstr("TRAINING LOG")));
  EXPECT_THAT(heldout.out, HasSubstr("next: dynid export m.json --urdf robot.urdf"));

  writeEditedLog(desk / "own.h5");
  ASSERT_EQ(desk.run("dynid identify --robot " + arm + " own.h5 --output own.json --quiet").status,
            0);
  writeEditedLog(desk / "flipped.h5",
                 [](RawBlock& block, LogHeader&) { block.effort.col(1) *= -1.0; });
  const Outcome flipped = desk.run("dynid validate --model own.json flipped.h5");
  EXPECT_EQ(flipped.status, 1);
  EXPECT_THAT(flipped.out,
              HasSubstr("this log seems to be wrong, rather than the model: it seems"));
  EXPECT_THAT(flipped.out, HasSubstr("effort of joint_2 has the"));
  EXPECT_THAT(flipped.out, HasSubstr("next: dynid inspect flipped.h5"));

  const Outcome forced =
      desk.run("dynid identify --robot " + arm + " flipped.h5 --force --output forced.json");
  EXPECT_EQ(forced.status, 1) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("NOT USABLE: identified by force from a log that is refused"));
  EXPECT_FALSE(nlohmann::json::parse(readTextFile(desk / "forced.json")).at("status").at("usable"));
  EXPECT_EQ(desk.run("dynid validate --model forced.json own.h5 --quiet").status, 1);
}

TEST(Workflow, QuietMeansSilent) {
  const Desk desk;
  const Outcome run =
      desk.run("dynid simulate datasets/quickstart/arm.toml --output s.h5 --duration 10 --quiet");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out + run.err, "");
  const Outcome inspected = desk.run("dynid inspect s.h5 --quiet");
  EXPECT_EQ(inspected.status, 0);
  EXPECT_EQ(inspected.out + inspected.err, "");
}

TEST(Workflow, QuietInspectionSaysWhyALogIsRefused) {
  const Desk desk;
  writeEditedLog(desk / "log.h5", [](RawBlock& block, LogHeader&) { block.effort.setZero(); });
  const Outcome run = desk.run("dynid inspect log.h5 --quiet");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("-> "));
}

}  // namespace
}  // namespace dynid
