// The n-th allocation, open, read, write, fsync, rename, fork or thread fails: every command ends
// with a documented exit status and a message, and existing outputs stay complete.
#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/job.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <sstream>

namespace dynid {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPreload = std::string("LD_PRELOAD=") + DYNID_FAULTS_LIBRARY;

/// The outputs are written to the working directory.
std::vector<Job> jobs() {
  const auto job =
      [](const char* name, const std::string& arguments, const std::vector<std::string>& outputs) {
        return Job{name, jobArguments(arguments, ""), outputs};
      };
  return {job("identify",
              "identify --robot DATA/arm.toml DATA/heldout.h5 --threads 2 --output OUT/model.json "
              "--urdf OUT/arm.urdf --save-statistics OUT/statistics.h5 --report OUT/report.html",
              {"model.json", "arm.urdf", "statistics.h5", "report.html"}),
          job("validate",
              "validate --model DATA/model.json DATA/heldout.h5 --threads 2 "
              "--output OUT/prediction.h5 --report OUT/report.html",
              {"prediction.h5", "report.html"}),
          job("excite",
              "excite DATA/arm.toml --output OUT/motion.h5 --csv OUT/motion.csv --harmonics 1 "
              "--duration 4 --starts 1 --exclude-joint joint_3 --exclude-joint joint_4 "
              "--exclude-joint joint_5 --exclude-joint joint_6 --noise 0.5",
              {"motion.h5", "motion.csv"}),
          job("import",
              "import DATA/recording.csv --mapping DATA/recording_mapping.toml "
              "--output OUT/recording.h5",
              {"recording.h5"}),
          job("export",
              "export DATA/model.json --urdf OUT/arm.urdf --mjcf OUT/arm.xml --sdf OUT/arm.sdf "
              "--c OUT/arm.c",
              {"arm.urdf", "arm.xml", "arm.sdf", "arm.c", "arm.h"}),
          job("simulate",
              "simulate DATA/arm.toml --duration 5 --output OUT/log.h5 --save-truth OUT/truth.json",
              {"log.h5", "truth.json"})};
}
constexpr size_t kJobs = 6;

RunOptions in(const TemporaryDirectory& desk, std::vector<std::string> environment) {
  RunOptions options;
  options.directory = std::filesystem::path(desk / "x").parent_path().string();
  options.environment = std::move(environment);
  options.environment.push_back(kPreload);
  return options;
}

/// How often a command calls each kind of function, and which allocation is the first of its call
/// stack.
struct Calls {
  std::map<std::string, long> count;
  std::set<long> first_of_stack;
};

Calls countCalls(const Job& job) {
  const TemporaryDirectory desk;
  const Outcome run = dynid(
      job.arguments,
      in(desk,
         {"DYNID_FAULT_COUNT=" + (desk / "counts"), "DYNID_FAULT_STACKS=" + (desk / "stacks")}));
  EXPECT_EQ(run.status, 0) << run.err;
  Calls calls;
  std::istringstream lines(readTextFile(desk / "counts"));
  std::string kind;
  for (long count = 0; lines >> kind >> count;) calls.count[kind] = count;
  std::istringstream numbers(readTextFile(desk / "stacks"));
  for (long call = 0; numbers >> call;) calls.first_of_stack.insert(call);
  EXPECT_GT(calls.first_of_stack.size(), 100U);
  return calls;
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
    EXPECT_THAT(run.err, Not(HasSubstr("internal error")));
  }
  // With several renames, the message names the files already replaced
  if (fault.starts_with("rename")) return;
  expectOldOrNew(desk, job, run);
}

/// `most` numbers over the range from 1 to `count`; with DYNID_ALL_FAULTS all of them, or, where a
/// command allocates more than 10,000 times, the first allocation of every call stack.
std::set<long> chosenCalls(const Calls& calls, const std::string& kind) {
  const long count = calls.count.at(kind), most = kind == "memory" ? 16 : 6;
  const bool all = std::getenv("DYNID_ALL_FAULTS") != nullptr || count <= most;
  if (all && count > 10000) return calls.first_of_stack;
  std::set<long> chosen;
  for (long i = 0; i < (all ? count : most); ++i)
    chosen.insert(all ? i + 1 : 1 + i * (count - 1) / (most - 1));
  return chosen;
}

/// DYNID_FAULT_KINDS in the environment restricts the faults to some kinds ("memory fork").
bool isWanted(const std::string& kind) {
  const char* kinds = std::getenv("DYNID_FAULT_KINDS");
  return kinds == nullptr || std::string(kinds).find(kind) != std::string::npos;
}

class FaultInjection : public ::testing::Test {
 protected:
  void SetUp() override {
    if (DYNID_SANITIZED) GTEST_SKIP() << "sanitizers replace the functions that are made to fail";
  }
};

class FaultOfCommand : public FaultInjection, public ::testing::WithParamInterface<size_t> {};

TEST_P(FaultOfCommand, LeavesOldOutputsWholeAndSaysWhatHappened) {
  const Job job = jobs()[GetParam()];
  const Calls calls = countCalls(job);
  for (const auto& [kind, count] : calls.count) {
    if (!isWanted(kind)) continue;
    const std::set<long> chosen = chosenCalls(calls, kind);
    for (const long call : chosen) injectFault(job, kind + ":" + std::to_string(call));
    RecordProperty(kind, std::to_string(chosen.size()) + " of " + std::to_string(count));
  }
}

INSTANTIATE_TEST_SUITE_P(Commands,
                         FaultOfCommand,
                         ::testing::Range(size_t{0}, kJobs),
                         [](const auto& test) { return std::string(jobs()[test.param].name); });

// HDF5 crashes, overflows the stack or calls exit() when it gets no memory, mostly while it
// initialises itself; OpenSSL 3 crashed at its first use.
TEST_F(FaultInjection, AnyAllocationOfALibraryMayFail) {
  const Job job = jobs()[3];
  const long count = countCalls(job).count["memory"];
  for (long call = 1; call < 500; call += 10) injectFault(job, fmt::format("memory:{}", call));
  for (long call = 500; call <= count; call += 60) injectFault(job, fmt::format("memory:{}", call));
}

TEST_F(FaultInjection, AFailedReadIsNotTheEndOfTheFile) {
  const Job job = jobs()[3];
  const TemporaryDirectory whole;
  ASSERT_EQ(dynid(job.arguments, in(whole, {})).status, 0);
  const long count = countCalls(job).count["read"];
  EXPECT_GT(count, 5);
  for (long call = 1; call <= count; ++call) {
    const TemporaryDirectory desk;
    const Outcome run = dynid(job.arguments, in(desk, {fmt::format("DYNID_FAULT=read:{}", call)}));
    EXPECT_THAT(run.status, AnyOf(0, 3)) << call << ": " << run.err;
    if (run.status == 0) {
      EXPECT_TRUE(readTextFile(desk / "recording.h5") == readTextFile(whole / "recording.h5"))
          << call << ": a part of the table is missing";
    }
  }
}

TEST_F(FaultInjection, OutOfMemoryHasItsOwnMessage) {
  const Job job = jobs().front();
  const long calls = countCalls(job).count["memory"];
  const TemporaryDirectory desk;
  const Outcome run =
      dynid(job.arguments, in(desk, {"DYNID_FAULT=memory:" + std::to_string(calls / 2) + ":on"}));
  EXPECT_EQ(run.status, 5) << run.err;
  EXPECT_THAT(run.err, HasSubstr("out of memory"));
  EXPECT_THAT(desk.files(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace dynid
