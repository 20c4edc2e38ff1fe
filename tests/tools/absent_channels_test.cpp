// Logs without one or two of their channels or attributes: each command ends with a documented exit
// status, and `inspect` and `identify` agree on whether the log is usable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include "tools/sound_answers.h"
#include <cstdlib>
#include <string>
#include <vector>

namespace dynid {
namespace {

using ::testing::HasSubstr;

constexpr const char* kParts[] = {"time",
                                  "position",
                                  "velocity",
                                  "acceleration",
                                  "effort",
                                  "joint_names",
                                  "sample_rate_hz",
                                  "gravity"};
constexpr int kCount = std::size(kParts);

/// A log with all channels of the motion, its effort channel containing efforts or currents.
void writeFullLog(const std::string& path, EffortKind kind) {
  writeEditedLog(path, [&](RawBlock& log, LogHeader& header) {
    header.effort_kind = kind;
    header.has_acceleration = true;
    log.acceleration = Eigen::MatrixXd::Zero(log.rows(), log.joints());
    for (Eigen::Index row = 1; row + 1 < log.rows(); ++row)
      log.acceleration.row(row) = (log.velocity.row(row + 1) - log.velocity.row(row - 1)) /
                                  (log.time(row + 1) - log.time(row - 1));
  });
}

/// The name of a part in the file.
std::string nameIn(EffortKind kind, const std::string& part) {
  return part == "effort" && kind == EffortKind::kCurrent ? "current" : part;
}

class AbsentChannels : public ::testing::TestWithParam<EffortKind> {
 protected:
  void SetUp() override {
    writeFullLog(log_, GetParam());
    const Outcome run =
        dynid({"identify", "--robot", "datasets/quickstart/arm.toml", log_, "--output", model_});
    ASSERT_EQ(run.status, 0) << run.err;
  }

  void expectSoundAnswersWithout(const std::vector<const char*>& parts) {
    std::string trace = "without";
    writeFullLog(log_, GetParam());
    for (const char* part : parts) {
      removeFromFile(log_, nameIn(GetParam(), part));
      trace += std::string(" ") + part;
    }
    SCOPED_TRACE(trace);
    expectSoundAnswers(desk_, log_, model_);
    // A log is no trajectory, but it looks like one
    const Outcome simulate = dynid({"simulate",
                                    "datasets/quickstart/arm.toml",
                                    "--trajectory",
                                    log_,
                                    "--output",
                                    desk_ / "simulated.h5"});
    EXPECT_THAT(simulate.status, ::testing::AnyOf(0, 3)) << simulate.err;
    if (simulate.status == 3) {
      EXPECT_THAT(simulate.err, HasSubstr("log.h5"));
    }
  }

  const TemporaryDirectory desk_;
  const std::string log_ = desk_ / "log.h5", model_ = desk_ / "model.json";
};

TEST_P(AbsentChannels, EveryCommandAnswersSoundly) {
  for (const char* part : kParts) expectSoundAnswersWithout({part});
}

// DYNID_ALL_VALUES=1 in the environment takes all pairs (28 logs), otherwise those with the time.
TEST_P(AbsentChannels, EveryCommandAnswersSoundlyWithoutTwoOfThem) {
  const int most = std::getenv("DYNID_ALL_VALUES") == nullptr ? 1 : kCount;
  for (int i = 0; i < most; ++i)
    for (int j = i + 1; j < kCount; ++j) expectSoundAnswersWithout({kParts[i], kParts[j]});
}

INSTANTIATE_TEST_SUITE_P(Logs,
                         AbsentChannels,
                         ::testing::Values(EffortKind::kEffort, EffortKind::kCurrent),
                         [](const auto& test) { return toText(test.param); });

TEST(LogsWithoutChannels, WhatCannotBeDoneWithoutIsNamed) {
  const TemporaryDirectory desk;
  const std::string log = desk / "log.h5";
  for (const char* part : {"position", "effort", "joint_names"}) {
    writeFullLog(log, EffortKind::kEffort);
    removeFromFile(log, part);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"inspect", log, "--robot", "datasets/quickstart/arm.toml"},
          {"identify", "--robot", "datasets/quickstart/arm.toml", log},
          {"validate", "--model", "datasets/quickstart/model.json", log}}) {
      const Outcome run = dynid(command);
      // `inspect` reports a log without efforts, since it can be read
      const int expected = command[0] == "inspect" && part == std::string("effort") ? 1 : 3;
      EXPECT_EQ(run.status, expected) << command[0] << " without " << part << ": " << run.err;
      EXPECT_THAT(run.out + run.err, HasSubstr(part));
    }
  }
}

}  // namespace
}  // namespace dynid
