// The program is killed at a random time (SIGKILL, no handler runs): existing outputs stay
// complete, and the next run removes temporary files.
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>

namespace dynid {
namespace {

const std::string kQuickstart = std::string(DYNID_SOURCE_DIR) + "/datasets/quickstart/";

struct Job {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
};

std::vector<Job> jobs(const TemporaryDirectory& desk) {
  return {{"import",
           {"import",
            kQuickstart + "recording.csv",
            "--mapping",
            kQuickstart + "recording_mapping.toml",
            "--output",
            desk / "recording.h5"},
           {"recording.h5"}},
          {"simulate",
           {"simulate",
            kQuickstart + "arm.toml",
            "--duration",
            "20",
            "--output",
            desk / "log.h5",
            "--save-truth",
            desk / "truth.json"},
           {"log.h5", "truth.json"}},
          {"identify",
           {"identify",
            "--robot",
            kQuickstart + "arm.toml",
            kQuickstart + "heldout.h5",
            "--threads",
            "1",
            "--output",
            desk / "model.json",
            "--save-statistics",
            desk / "statistics.h5"},
           {"model.json", "statistics.h5"}},
          {"validate",
           {"validate",
            "--model",
            kQuickstart + "model.json",
            kQuickstart + "heldout.h5",
            "--threads",
            "1",
            "--output",
            desk / "prediction.h5"},
           {"prediction.h5"}}};
}

/// DYNID_KILLS in the environment asks for more than the usual dozen per command.
int kills() {
  const char* wanted = std::getenv("DYNID_KILLS");
  return wanted == nullptr ? 13 : std::atoi(wanted);
}

class Kills : public ::testing::TestWithParam<int> {};

TEST_P(Kills, LeaveOldOutputsWholeAndNothingForLong) {
  const TemporaryDirectory desk;
  const Job job = jobs(desk)[static_cast<size_t>(GetParam())];
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(dynid(job.arguments).status, 0);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()) + 1);
  std::uniform_real_distribution<double> moment(0.0, 1.1 * seconds);
  for (int i = 0; i < kills(); ++i) {
    for (const std::string& output : job.outputs) writeTextFile(desk / output, "old");
    RunOptions options;
    options.signal = SIGKILL;
    options.signal_after_s = moment(random);
    const Outcome run = dynid(job.arguments, options);
    EXPECT_THAT(run.status, ::testing::AnyOf(0, 128 + SIGKILL)) << run.err;
    for (const std::string& output : job.outputs) {
      const std::string text = readTextFile(desk / output);
      if (text == "old") continue;
      EXPECT_THAT(dynid({"inspect", desk / output}).status, ::testing::AnyOf(0, 1))
          << output << " is half written";
    }
  }
  ASSERT_EQ(dynid(job.arguments).status, 0);
  EXPECT_EQ(desk.files().size(), job.outputs.size()) << "left: " << join(desk.files());
}

INSTANTIATE_TEST_SUITE_P(Commands, Kills, ::testing::Range(0, 4), [](const auto& test) {
  const TemporaryDirectory desk;
  return std::string(jobs(desk)[static_cast<size_t>(test.param)].name);
});

}  // namespace
}  // namespace dynid
