// Options that would be ignored or that contradict each other are refused or named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/quickstart_files.h"
#include <filesystem>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Contradictions : public ::testing::Test {
 protected:
  void expectRefused(std::vector<std::string> arguments,
                     const std::vector<std::string>& more,
                     const std::string& message) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome run = dynid(arguments, here_);
    EXPECT_EQ(run.status, 2) << message << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr(message));
  }
  Outcome run(const std::string& line) const { return dynid(argumentsOf("dynid " + line), here_); }

  TemporaryDirectory desk_;
  RunOptions here_ = [this] {
    RunOptions options;
    options.directory = std::filesystem::path(desk_ / "x").parent_path().string();
    return options;
  }();
  const std::string arm_ = kQuickstart + "arm.toml";
};

TEST_F(Contradictions, OptionsOfARobotThatAModelReplaces) {
  const std::vector<std::string> simulate = {
      "simulate", "--model", kQuickstart + "model.json", "--output", "s.h5"};
  const std::string why = " and --model: all parameters and joints are those of the model";
  expectRefused(simulate, {"--truth-seed", "9"}, "--truth-seed" + why);
  expectRefused(simulate, {"--random-inertia"}, "--random-inertia" + why);
  expectRefused(simulate, {"--described-drives"}, "--described-drives" + why);
  expectRefused(simulate, {"--exclude-joint", "joint_6"}, "--exclude-joint" + why);
  EXPECT_THAT(desk_.files(), IsEmpty());
}

TEST_F(Contradictions, OptionsOfAMotionThatATrajectoryReplaces) {
  const std::vector<std::string> simulate = {
      "simulate", arm_, "--trajectory", "t.h5", "--output", "s.h5"};
  for (const std::string name : {"--duration", "--fundamental", "--harmonics", "--amplitude"})
    expectRefused(
        simulate, {name, "1"}, name + " and --trajectory: the motion is that of the trajectory");
}

TEST_F(Contradictions, PassiveJointsOfARobotWithoutLoops) {
  expectRefused({"simulate", arm_, "--output", "s.h5"},
                {"--passive-joints"},
                "the passive joints of loops are asked for, and robot \"quickstart_arm\" has no "
                "[[loop]]");
  EXPECT_THAT(desk_.files(), IsEmpty());
}

TEST_F(Contradictions, TwoPayloadsOfOneLog) {
  const std::vector<std::string> identify = {
      "identify", "--robot", arm_, "s.h5", "--payload", "s.h5=tool0:2"};
  expectRefused(identify,
                {"--payload", "s.h5=tool0:3"},
                "--payload: \"s.h5\" has two payloads, \"tool0:2\" and \"tool0:3\"");
  // Another spelling of the path is the same log.
  expectRefused(identify, {"--payload", "./s.h5=tool0:3"}, "\"s.h5\" has two payloads");
  expectRefused(identify, {"--payload", "other.h5=tool0:3"}, "\"other.h5\" is none of the logs");
}

TEST_F(Contradictions, APayloadThatTakesThePlaceOfThatOfTheLogIsNamed) {
  const std::string simulate = "simulate " + arm_ + " --duration 8 --output ";
  ASSERT_EQ(run(simulate + "heavy.h5 --payload tool0:1.7").status, 0);
  ASSERT_EQ(run(simulate + "bare.h5").status, 0);
  const std::string identify = "identify --robot " + arm_;
  EXPECT_THAT(run(identify + " heavy.h5 --payload ./heavy.h5=tool0:2").err,
              HasSubstr("heavy.h5: states a payload itself (1.7 kg at tool0); --payload takes its "
                        "place: tool0:2"));
  EXPECT_THAT(run(identify + " bare.h5 --payload bare.h5=tool0:2").err,
              Not(HasSubstr("states a payload")));
}

TEST_F(Contradictions, TheNextCommandHoldsTheSameJoints) {
  const std::string held = " --exclude-joint joint_5 --exclude-joint joint_6 ";
  EXPECT_THAT(
      run("simulate " + arm_ + held + "--duration 6 --output s.h5").out,
      HasSubstr("next: dynid identify --robot " + arm_ + " s.h5" + held + "--output model.json\n"));
  EXPECT_THAT(run("excite " + arm_ + held +
                  "--exclude-joint joint_4 --harmonics 2 --starts 1 --force --output t.h5")
                  .out,
              HasSubstr("--trajectory t.h5" + held + "--exclude-joint joint_4 --output "));
}

}  // namespace
}  // namespace dynid
