// The n-th allocation, open, read, write, fsync, rename, fork or thread fails: every command ends
// with a documented exit status and a message, and existing outputs stay complete.
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace dynid {
namespace {

using ::testing::AnyOf;

const std::string kQuickstart = std::string(DYNID_SOURCE_DIR) + "/datasets/quickstart/";
const std::string kPreload = std::string("LD_PRELOAD=") + DYNID_FAULTS_LIBRARY;

/// A command that writes "out" files into a folder.
struct Job {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
};

std::vector<Job> jobs() {
  return {{"identify",
           {"identify",
            "--robot",
            kQuickstart + "arm.toml",
            kQuickstart + "heldout.h5",
            "--threads",
            "2",
            "--output",
            "model.json",
            "--urdf",
            "arm.urdf",
            "--save-statistics",
            "statistics.h5",
            "--report",
            "report.html"},
           {"model.json", "arm.urdf", "statistics.h5", "report.html"}},
          {"validate",
           {"validate",
            "--model",
            kQuickstart + "model.json",
            kQuickstart + "heldout.h5",
            "--threads",
            "2",
            "--output",
            "prediction.h5",
            "--report",
            "report.html"},
           {"prediction.h5", "report.html"}},
          {"excite",
           {"excite",          kQuickstart + "arm.toml",
            "--output",        "motion.h5",
            "--csv",           "motion.csv",
            "--harmonics",     "2",
            "--duration",      "10",
            "--starts",        "1",
            "--exclude-joint", "joint_4",
            "--exclude-joint", "joint_5",
            "--exclude-joint", "joint_6",
            "--noise",         "0.5"},
           {"motion.h5", "motion.csv"}},
          {"import",
           {"import",
            kQuickstart + "recording.csv",
            "--mapping",
            kQuickstart + "recording_mapping.toml",
            "--output",
            "recording.h5"},
           {"recording.h5"}}};
}

RunOptions in(const TemporaryDirectory& desk, std::vector<std::string> environment) {
  RunOptions options;
  options.directory = std::filesystem::path(desk / "x").parent_path().string();
  options.environment = std::move(environment);
  options.environment.push_back(kPreload);
  return options;
}

std::map<std::string, long> countCalls(const Job& job) {
  const TemporaryDirectory desk;
  const Outcome run = dynid(job.arguments, in(desk, {"DYNID_FAULT_COUNT=" + (desk / "counts")}));
  EXPECT_EQ(run.status, 0) << run.err;
  std::map<std::string, long> counts;
  std::istringstream lines(readTextFile(desk / "counts"));
  std::string kind;
  for (long count = 0; lines >> kind >> count;) counts[kind] = count;
  return counts;
}

/// All outputs are the old ones, or all of them are new ones.
void expectOldOrNew(const TemporaryDirectory& desk, const Job& job, const Outcome& run) {
  int old = 0;
  for (const std::string& output : job.outputs) {
    ASSERT_TRUE(std::filesystem::exists(desk / output)) << output << " is gone";
    if (readTextFile(desk / output) == "old") ++old;
  }
  EXPECT_THAT(old, AnyOf(0, static_cast<int>(job.outputs.size()))) << run.err;
  if (run.status == 0) {
    EXPECT_EQ(old, 0);
  }
  EXPECT_EQ(desk.files().size(), job.outputs.size()) << "something is left: " << join(desk.files());
}

void injectFault(const Job& job, const std::string& fault) {
  SCOPED_TRACE(std::string(job.name) + " with DYNID_FAULT=" + fault);
  const TemporaryDirectory desk;
  for (const std::string& output : job.outputs) writeTextFile(desk / output, "old");
  const Outcome run = dynid(job.arguments, in(desk, {"DYNID_FAULT=" + fault}));
  EXPECT_THAT(run.status, AnyOf(0, 1, 2, 3, 4, 5)) << run.err;
  if (run.status > 1) {
    EXPECT_NE(run.err, "");
  }
  // With several renames, the message names the files already replaced
  if (fault.starts_with("rename")) return;
  expectOldOrNew(desk, job, run);
}

/// Numbers from 1 to `count`: all if there are few or DYNID_ALL_FAULTS is set, otherwise a
/// selection over the whole range.
std::set<long> chosenCalls(long count, long most) {
  std::set<long> chosen;
  const bool all = std::getenv("DYNID_ALL_FAULTS") != nullptr || count <= most;
  for (long i = 0; i < (all ? count : most); ++i)
    chosen.insert(all ? i + 1 : 1 + i * (count - 1) / (most - 1));
  return chosen;
}

class FaultInjection : public ::testing::TestWithParam<int> {};

TEST_P(FaultInjection, LeavesOldOutputsWholeAndSaysWhatHappened) {
  const Job job = jobs()[static_cast<size_t>(GetParam())];
  for (const auto& [kind, count] : countCalls(job)) {
    const long most = kind == "memory" ? 16 : 6;
    for (const long call : chosenCalls(count, most))
      injectFault(job, kind + ":" + std::to_string(call));
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, FaultInjection, ::testing::Range(0, 4), [](const auto& test) {
  return std::string(jobs()[static_cast<size_t>(test.param)].name);
});

TEST(FaultInjection, OutOfMemoryHasItsOwnMessage) {
  const Job job = jobs().front();
  const long calls = countCalls(job)["memory"];
  const TemporaryDirectory desk;
  const Outcome run =
      dynid(job.arguments, in(desk, {"DYNID_FAULT=memory:" + std::to_string(calls / 2) + ":on"}));
  EXPECT_EQ(run.status, 5) << run.err;
  EXPECT_THAT(run.err, ::testing::HasSubstr("out of memory"));
  EXPECT_THAT(desk.files(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace dynid
