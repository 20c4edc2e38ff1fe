// The program is killed at a random time (SIGKILL, no handler runs): existing outputs stay
// complete, and the next run removes temporary files.
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/quickstart_files.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>

namespace dynid {
namespace {

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
           {"prediction.h5"}},
          {"excite",
           {"excite",          kQuickstart + "arm.toml",
            "--output",        desk / "motion.h5",
            "--csv",           desk / "motion.csv",
            "--harmonics",     "1",
            "--duration",      "4",
            "--starts",        "1",
            "--exclude-joint", "joint_3",
            "--exclude-joint", "joint_4",
            "--exclude-joint", "joint_5",
            "--exclude-joint", "joint_6",
            "--noise",         "0.5"},
           {"motion.h5", "motion.csv"}},
          {"export",
           {"export",
            kQuickstart + "model.json",
            "--urdf",
            desk / "arm.urdf",
            "--mjcf",
            desk / "arm.xml",
            "--sdf",
            desk / "arm.sdf",
            "--c",
            desk / "arm.c"},
           {"arm.urdf", "arm.xml", "arm.sdf", "arm.c", "arm.h"}}};
}
constexpr size_t kJobs = 6;

/// The same as a complete run wrote, or at least a complete file.
bool isWhole(const std::string& file, const std::string& of_complete_run) {
  if (readTextFile(file) == of_complete_run) return true;
  const int status = dynid({"inspect", file}).status;
  return status == 0 || status == 1;
}

/// DYNID_KILLS in the environment asks for more than the usual dozen per command.
int kills() {
  const char* wanted = std::getenv("DYNID_KILLS");
  return wanted == nullptr ? 13 : std::atoi(wanted);
}

class Kills : public ::testing::TestWithParam<size_t> {};

TEST_P(Kills, LeaveOldOutputsWholeAndNothingForLong) {
  const TemporaryDirectory desk;
  const Job job = jobs(desk)[GetParam()];
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(dynid(job.arguments).status, 0);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::map<std::string, std::string> complete;
  for (const std::string& output : job.outputs) complete[output] = readTextFile(desk / output);
  std::mt19937_64 random(GetParam() + 1);
  std::uniform_real_distribution<double> moment(0.0, 1.1 * seconds);
  for (int i = 0; i < kills(); ++i) {
    for (const std::string& output : job.outputs) writeTextFile(desk / output, "old");
    RunOptions options;
    options.signal = SIGKILL;
    options.signal_after_s = moment(random);
    const Outcome run = dynid(job.arguments, options);
    EXPECT_THAT(run.status, ::testing::AnyOf(0, 128 + SIGKILL)) << run.err;
    for (const std::string& output : job.outputs) {
      if (readTextFile(desk / output) == "old") continue;
      EXPECT_TRUE(isWhole(desk / output, complete[output])) << output << " is half written";
    }
  }
  ASSERT_EQ(dynid(job.arguments).status, 0);
  EXPECT_EQ(desk.files().size(), job.outputs.size()) << "left: " << join(desk.files());
}

INSTANTIATE_TEST_SUITE_P(Commands, Kills, ::testing::Range(size_t{0}, kJobs), [](const auto& test) {
  const TemporaryDirectory desk;
  return std::string(jobs(desk)[test.param].name);
});

}  // namespace
}  // namespace dynid
