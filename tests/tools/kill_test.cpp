// The program is killed at a random time (SIGKILL, no handler runs): existing outputs stay
// complete, and the next run removes temporary files.
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/job.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>

namespace dynid {
namespace {

std::vector<Job> jobs(const TemporaryDirectory& desk) {
  const auto job =
      [&](const char* name, const std::string& arguments, const std::vector<std::string>& outputs) {
        return Job{name, jobArguments(arguments, desk / ""), outputs};
      };
  return {job("import",
              "import DATA/recording.csv --mapping DATA/recording_mapping.toml "
              "--output OUT/recording.h5",
              {"recording.h5"}),
          job("simulate",
              "simulate DATA/arm.toml --duration 20 --output OUT/log.h5 "
              "--save-truth OUT/truth.json",
              {"log.h5", "truth.json"}),
          job("identify",
              "identify --robot DATA/arm.toml DATA/heldout.h5 --threads 1 --output OUT/model.json "
              "--save-statistics OUT/statistics.h5",
              {"model.json", "statistics.h5"}),
          job("validate",
              "validate --model DATA/model.json DATA/heldout.h5 --threads 1 "
              "--output OUT/prediction.h5",
              {"prediction.h5"}),
          job("excite",
              "excite DATA/arm.toml --output OUT/motion.h5 --csv OUT/motion.csv --harmonics 1 "
              "--duration 4 --starts 1 --exclude-joint joint_3 --exclude-joint joint_4 "
              "--exclude-joint joint_5 --exclude-joint joint_6 --noise 0.5",
              {"motion.h5", "motion.csv"}),
          job("export",
              "export DATA/model.json --urdf OUT/arm.urdf --mjcf OUT/arm.xml --sdf OUT/arm.sdf "
              "--c OUT/arm.c",
              {"arm.urdf", "arm.xml", "arm.sdf", "arm.c", "arm.h"})};
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
