// Outputs never replace input files, appear together, and survive interruptions.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include "tools/quickstart_files.h"
#include <csignal>
#include <filesystem>
#include <sys/stat.h>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A copy of the quickstart files that a test may damage.
class OwnCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"arm.toml", "arm.urdf", "heldout.h5", "model.json"})
      std::filesystem::copy_file(kQuickstart + name, desk_ / name);
  }
  /// The run must be refused before any work, and every file must be unchanged.
  void expectRefused(const std::vector<std::string>& arguments, const std::string& file) {
    const std::string before = readTextFile(desk_ / file);
    const std::vector<std::string> names = desk_.files();
    const Outcome run = dynid(arguments);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr(file + ": is also an input"), HasSubstr("another name")));
    EXPECT_EQ(readTextFile(desk_ / file), before);
    EXPECT_EQ(desk_.files(), names);
  }
  std::vector<std::string> identify(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"identify", "--robot", desk_ / "arm.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  TemporaryDirectory desk_;
};

TEST_F(OwnCopies, TheUrdfThatTheDescriptionNamesIsNotReplaced) {
  expectRefused(identify({desk_ / "heldout.h5", "--urdf", desk_ / "arm.urdf"}), "arm.urdf");
}

TEST_F(OwnCopies, AnotherNameOfAFileThatWasReadIsNotReplaced) {
  std::filesystem::create_hard_link(desk_ / "arm.urdf", desk_ / "same.urdf");
  expectRefused(identify({desk_ / "heldout.h5", "--urdf", desk_ / "same.urdf"}), "same.urdf");
  std::filesystem::create_symlink("heldout.h5", desk_ / "log.h5");
  expectRefused(identify({desk_ / "heldout.h5", "--save-statistics", desk_ / "log.h5"}), "log.h5");
}

TEST_F(OwnCopies, TheConfigurationIsNotReplaced) {
  writeTextFile(desk_ / "settings.conf", "threads = 1\n");
  expectRefused(identify({desk_ / "heldout.h5",
                          "--config",
                          desk_ / "settings.conf",
                          "--output",
                          desk_ / "settings.conf"}),
                "settings.conf");
}

TEST_F(OwnCopies, TheListOfLogsIsNotReplaced) {
  writeTextFile(desk_ / "logs.txt", "heldout.h5\n");
  expectRefused(identify({"--log-list", desk_ / "logs.txt", "--output", desk_ / "logs.txt"}),
                "logs.txt");
}

TEST_F(OwnCopies, TheModelThatIsExportedIsNotReplaced) {
  expectRefused({"export", desk_ / "model.json", "--urdf", desk_ / "model.json"}, "model.json");
}

TEST_F(OwnCopies, ADescriptionEditedByHandIsReplacedOnlyByForce) {
  writeTextFile(desk_ / "mine.toml", "# edited by hand\n");
  const std::vector<std::string> command{
      "check", desk_ / "arm.urdf", "--init-description", "--output", desk_ / "mine.toml"};
  const Outcome run = dynid(command);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err,
            "dynid check: error: --init-description: " + (desk_ / "mine.toml") +
                " already exists; --force replaces it\n");
  EXPECT_EQ(readTextFile(desk_ / "mine.toml"), "# edited by hand\n");
  std::vector<std::string> forced = command;
  forced.emplace_back("--force");
  EXPECT_EQ(dynid(forced).status, 0);
  EXPECT_THAT(readTextFile(desk_ / "mine.toml"), HasSubstr("arm.urdf"));
}

TEST_F(OwnCopies, AllOutputsOfARunAppearOrNone) {
  // The report is larger than the limit, the model is not.
  writeTextFile(desk_ / "model.json", "old");
  RunOptions small;
  small.file_size_limit = 200'000;
  const Outcome run = dynid(identify({desk_ / "heldout.h5",
                                      "--no-certificate",
                                      "--output",
                                      desk_ / "model.json",
                                      "--save-statistics",
                                      desk_ / "statistics.h5",
                                      "--report",
                                      desk_ / "report.html"}),
                            small);
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_EQ(readTextFile(desk_ / "model.json"), "old");
  EXPECT_THAT(desk_.files(), ElementsAre("arm.toml", "arm.urdf", "heldout.h5", "model.json"));
}

// There is no URDF to write for a robot that an MJCF describes.
TEST(Outputs, ARefusedExportDoesNotCostTheModel) {
  const TemporaryDirectory desk;
  writeTextFile(desk / "robot.xml",
                "<mujoco><worldbody><body name=\"arm\"><inertial pos=\"0.3 0 0\" mass=\"2\" "
                "diaginertia=\"0.1 0.1 0.1\"/><joint name=\"swing\" axis=\"0 1 0\" range=\"-80 "
                "80\" damping=\"1\"/></body></worldbody></mujoco>");
  ASSERT_EQ(dynid({"simulate", desk / "robot.xml", "--duration", "10", "--output", desk / "log.h5"})
                .status,
            0);
  const Outcome run = dynid({"identify",
                             "--robot",
                             desk / "robot.xml",
                             desk / "log.h5",
                             "--output",
                             desk / "model.json",
                             "--urdf",
                             desk / "robot.urdf"});
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("no URDF is written: "),
                    HasSubstr("; the model itself is written to " + (desk / "model.json"))));
  EXPECT_THAT(run.out, HasSubstr("Error on these logs"));
  EXPECT_EQ(desk.files(), (std::vector<std::string>{"log.h5", "model.json", "robot.xml"}));
}

TEST(Outputs, AnExportOfAModelThatMustNotBeUsedIsSaidToBeMissing) {
  const TemporaryDirectory desk;
  const std::string log = desk / "log.h5";
  writeEditedLog(log, [](RawBlock& rows, LogHeader&) { rows.effort *= -1.0; });
  const Outcome run = dynid({"identify",
                             "--robot",
                             kArm,
                             log,
                             "--force",
                             "--output",
                             desk / "model.json",
                             "--urdf",
                             desk / "arm.urdf"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("arm.urdf: not written: the model must not be used"));
  EXPECT_EQ(desk.files(), (std::vector<std::string>{"log.h5", "model.json"}));
}

// Of three logs, the last has efforts three times as large.
TEST(Outputs, TheNextStepLooksAtTheLogThatContradictsTheOthers) {
  const TemporaryDirectory desk;
  const std::string wrong = desk / "wrong.h5";
  writeEditedLog(wrong, [](RawBlock& rows, LogHeader&) { rows.effort *= 3.0; });
  const Outcome run = dynid({"identify",
                             "--robot",
                             kArm,
                             "datasets/quickstart/train.h5",
                             "datasets/quickstart/heldout.h5",
                             wrong,
                             "--force"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("next: dynid inspect " + wrong + " --robot " + kArm));
}

TEST_F(OwnCopies, AWriteProtectedOutputIsRefusedAtOnce) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  ASSERT_EQ(chmod((desk_ / "model.json").c_str(), 0400), 0);
  const Outcome run = dynid(identify({desk_ / "heldout.h5", "--output", desk_ / "model.json"}));
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, HasSubstr("write-protected"));
}

const std::vector<std::string> kSearch{"excite",
                                       "datasets/quickstart/arm.toml",
                                       "--seconds",
                                       "600",
                                       "--duration",
                                       "10",
                                       "--harmonics",
                                       "2",
                                       "--threads",
                                       "1",
                                       "--noise",
                                       "0.5"};

TEST(InterruptedExcitation, WritesTheBestMotionFoundSoFar) {
  const TemporaryDirectory desk;
  std::vector<std::string> command = kSearch;
  for (const char* joint : {"joint_4", "joint_5", "joint_6"}) {
    command.emplace_back("--exclude-joint");
    command.emplace_back(joint);
  }
  command.insert(command.end(), {"--output", desk / "motion.h5", "--verbose"});
  RunOptions options;
  options.signal = SIGINT;
  options.signal_when_says = "condition number";
  const Outcome run = dynid(command, options);
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_THAT(run.err,
              HasSubstr("dynid excite: interrupted; the best motion found until then was written "
                        "to " +
                        (desk / "motion.h5")));
  EXPECT_EQ(desk.files(), std::vector<std::string>{"motion.h5"});
  EXPECT_EQ(dynid({"inspect", desk / "motion.h5"}).status, 0);
}

TEST(InterruptedExcitation, TheSecondSignalEndsAtOnce) {
  const TemporaryDirectory desk;
  std::vector<std::string> command = kSearch;
  command.insert(command.end(), {"--output", desk / "motion.h5", "--verbose"});
  RunOptions options;
  options.signal = SIGINT;
  options.signal_when_says = "condition number";
  options.signals = 2;
  const Outcome run = dynid(command, options);
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_THAT(desk.files(), ::testing::IsEmpty());
}

TEST(InterruptedImport, NamesTheLogsThatAreComplete) {
  // The second recording is a pipe without a writer: refused after the first one is complete.
  const TemporaryDirectory desk;
  std::filesystem::copy_file(kQuickstart + "recording.csv", desk / "a.csv");
  writeTextFile(desk / "b.csv", "time,q_0\n0,x\n");
  const Outcome run = dynid({"import",
                             desk / "a.csv",
                             desk / "b.csv",
                             "--mapping",
                             kQuickstart + "recording_mapping.toml"});
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(desk.files(), ElementsAre("a.csv", "a.h5", "b.csv"));
}

TEST(Console, ControlCharactersOfFilesDoNotReachTheTerminal) {
  const TemporaryDirectory desk;
  const std::string evil = desk / "evil\x1b[2J\xc2\x9b.toml";
  writeTextFile(evil, "urdf = \"\\u001b]0;title\\u0007.urdf\"\n");
  const Outcome run = dynid({"check", evil});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find('\x07'), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("\xc2\x9b"), std::string::npos) << run.err;
  EXPECT_THAT(run.err, AllOf(StartsWith("dynid check: error: "), HasSubstr("evil\\u001b[2J")));
}

}  // namespace
}  // namespace dynid
