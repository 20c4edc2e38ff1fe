// Every option of every command that takes a number, with numbers that no one should give: the
// command ends with a documented exit status, and never with an internal error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/quickstart_files.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace dynid {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

using Arguments = std::vector<std::string>;

/// Commands that are fast and succeed, their outputs relative to the working directory.
std::vector<Arguments> commands() {
  const std::string& q = kQuickstart;
  return {{"simulate", q + "arm.toml", "--duration", "5", "--output", "log.h5"},
          {"identify", "--robot", q + "arm.toml", q + "heldout.h5", "--output", "model.json"},
          {"validate", "--model", q + "model.json", q + "heldout.h5", "--output", "prediction.h5"},
          {"excite",          q + "arm.toml",
           "--output",        "motion.h5",
           "--harmonics",     "2",
           "--duration",      "10",
           "--starts",        "1",
           "--noise",         "0.5",
           "--exclude-joint", "joint_3",
           "--exclude-joint", "joint_4",
           "--exclude-joint", "joint_5",
           "--exclude-joint", "joint_6"},
          {"inspect", q + "heldout.h5", "--robot", q + "arm.toml"},
          {"check", q + "arm.toml"},
          {"import",
           q + "recording.csv",
           "--mapping",
           q + "recording_mapping.toml",
           "--output",
           "i.h5"},
          {"export", q + "model.json", "--urdf", "arm.urdf"}};
}

/// The options of a command that take a number (X) or an integer (N), as its help states them.
Arguments numericOptions(const std::string& command) {
  const std::string help = dynid({command, "--help"}).out;
  Arguments options;
  const std::regex pattern("\n  (--[a-z-]+) [XN]\n");
  for (std::sregex_iterator at(help.begin(), help.end(), pattern), end; at != end; ++at)
    options.push_back((*at)[1]);
  return options;
}

/// `command` with the option set to a value, in place of the one that it has.
Arguments with(Arguments command, const std::string& option, const std::string& value) {
  const auto old = std::find(command.begin(), command.end(), option);
  if (old != command.end()) command.erase(old, old + 2);
  command.insert(command.end(), {option, value});
  return command;
}

class HostileOptions : public ::testing::TestWithParam<int> {};

// Takes one value per option; DYNID_ALL_VALUES=1 in the environment takes all of them.
TEST_P(HostileOptions, EndWithADocumentedStatus) {
  const Arguments values{
      "1e308", "nan", "-1", "1e-308", "inf", "0", "-inf", "5e-324", "2147483647"};
  const bool all = std::getenv("DYNID_ALL_VALUES") != nullptr;
  const Arguments command = commands()[GetParam()];
  size_t turn = static_cast<size_t>(GetParam());
  for (const std::string& option : numericOptions(command.front())) {
    ++turn;
    for (size_t i = 0; i < (all ? values.size() : 1); ++i) {
      const std::string& value = values[(turn + i) % values.size()];
      // A search with many starts lasts as long as was asked for
      if (option == "--starts" && value == "2147483647") continue;
      const TemporaryDirectory desk;
      RunOptions run_options;
      run_options.directory = std::filesystem::path(desk / "x").parent_path().string();
      const Outcome run = dynid(with(command, option, value), run_options);
      EXPECT_THAT(run.status, AnyOf(0, 1, 2, 3))
          << command.front() << " " << option << " " << value << ": " << run.err;
    }
  }
}

TEST(NumericOptions, SearchesAndSettingsHaveLimits) {
  const TemporaryDirectory desk;
  const Outcome excite =
      dynid({"excite", kQuickstart + "arm.toml", "--output", desk / "x.h5", "--rate", "1e308"});
  EXPECT_EQ(excite.status, 2);
  EXPECT_THAT(excite.err, HasSubstr("samples; expected 2 to 1e+07"));
  const Outcome identify = dynid({"identify",
                                  "--robot",
                                  kQuickstart + "arm.toml",
                                  kQuickstart + "heldout.h5",
                                  "--gap-tolerance",
                                  "1e308"});
  EXPECT_EQ(identify.status, 2);
  EXPECT_THAT(identify.err, HasSubstr("1e+308 is not between 0 and 1"));
}

INSTANTIATE_TEST_SUITE_P(Commands, HostileOptions, ::testing::Range(0, 8), [](const auto& test) {
  return commands()[test.param].front();
});

}  // namespace
}  // namespace dynid
