#include "dynid/core/files.h"
#include "dynid/core/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/quickstart_files.h"
#include <map>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::vector<std::string> kCommands = {
    "import", "inspect", "identify", "validate", "excite", "simulate", "check", "export"};

TEST(Program, VersionAndOverview) {
  const Outcome version = dynid({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("dynid 0."));
  const Outcome help = dynid({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const std::string& command : kCommands)
    EXPECT_THAT(help.out, HasSubstr("  " + command + " "));
  const Outcome alone = dynid({});  // prints the workflow
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(alone.out, help.out);
  EXPECT_THAT(alone.out, StartsWith("dynid import "));
}

TEST(Program, EveryCommandExplainsItself) {
  for (const std::string& command : kCommands) {
    SCOPED_TRACE(command);
    const Outcome run = dynid({command, "--help"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, StartsWith("dynid " + command + " "));
    for (const char* common : {"--json", "--quiet", "--verbose", "--config FILE", "--print-config"})
      EXPECT_THAT(run.out, HasSubstr(common));
    EXPECT_EQ(dynid({"help", command}).out, run.out);
  }
}

TEST(Program, UnknownNamesAreRefusedWithASuggestion) {
  const Outcome command = dynid({"identifi"});
  EXPECT_EQ(command.status, 2);
  EXPECT_THAT(command.err,
              HasSubstr("dynid: error: unknown command \"identifi\"; did you mean \"identify\"?"));
  const Outcome missing = dynid({"calibrate"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("unknown command \"calibrate\""));
  const Outcome option = dynid({"check", kArm, "--exclude-joints", "joint_1"});
  EXPECT_EQ(option.status, 2);
  EXPECT_EQ(
      option.err,
      "dynid check: error: unknown option --exclude-joints; did you mean \"exclude-joint\"?\n");
  EXPECT_EQ(option.out, "");
}

TEST(Program, NothingIsMatchedByPrefix) {
  for (const char* prefix : {"--rob", "--js", "--print"}) {
    const Outcome run = dynid({"check", kArm, prefix});
    EXPECT_EQ(run.status, 2) << prefix;
    EXPECT_THAT(run.err, HasSubstr("unknown option")) << prefix;
  }
}

TEST(Program, BadValuesNameTheOption) {
  const Outcome word = dynid({"identify", "--robot", kArm, "--cutoff", "fast"});
  EXPECT_EQ(word.status, 2);
  EXPECT_THAT(word.err, HasSubstr("--cutoff: \"fast\" is not a finite number [Hz]"));
  EXPECT_EQ(dynid({"identify", "--robot", kArm, "--cutoff", "1.5x"}).status, 2);
  EXPECT_EQ(dynid({"identify", "--robot", kArm, "--second-stage", "maybe"}).status, 2);
  EXPECT_EQ(dynid({"check", kArm, "--seed", "-1"}).status, 2);
  const Outcome range = dynid({"simulate", kArm, "--rate", "0.5", "--output", "none.h5"});
  EXPECT_EQ(range.status, 2);  // found by the library, whose field is rate_hz
  EXPECT_THAT(range.err, HasSubstr("error: --rate is 0.5; expected 1 to 100000 Hz"));
  const Outcome limit =
      dynid({"excite", kArm, "--max-velocity", "0", "--output", "none.h5", "--seconds", "1"});
  EXPECT_EQ(limit.status, 2);
  EXPECT_THAT(limit.err, HasSubstr("error: --max-velocity is 0; expected a positive number"));
  const Outcome irregular = dynid({"simulate", kArm, "--jitter", "-1", "--output", "none.h5"});
  EXPECT_EQ(irregular.status, 2);  // the field is clock_jitter_s
  EXPECT_THAT(irregular.err, HasSubstr("error: --jitter is -1; expected 0 or more"));
  const Outcome plural = dynid({"check", kArm, "--exclude-joint", "joint_9"});
  EXPECT_EQ(plural.status, 2);  // the field is exclude_joints
  EXPECT_THAT(plural.err, HasSubstr("error: --exclude-joint: \"joint_9\" is not a joint"));
  const Outcome twice = dynid({"check", "--robot", kArm, "--robot", kArm});
  EXPECT_EQ(twice.status, 2);
  EXPECT_THAT(twice.err, HasSubstr("--robot is given twice"));
  const Outcome none = dynid({"check", "--robot"});
  EXPECT_EQ(none.status, 2);
  const Outcome missing = dynid({"check"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("--robot (or a bare argument) is missing"));
  EXPECT_THAT(dynid({"validate"}).err,
              HasSubstr("--robot is missing: the robot to validate, or --model"));
}

TEST(Program, CommandLineBeatsConfigurationBeatsDefault) {
  const TemporaryDirectory directory;
  const std::string config = directory / "settings.conf";
  writeTextFile(config,
                "# a comment\n"
                "cutoff = 12.5   # Hz\n"
                "still-speed = 0.05\n"
                "robot = \"" +
                    kArm + "\"\n");
  const Outcome run =
      dynid({"identify", "--config", config, "--cutoff", "8", "--print-config", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto settings = nlohmann::json::parse(run.out);
  EXPECT_EQ(settings.at("cutoff").at("value"), "8");
  EXPECT_EQ(settings.at("cutoff").at("unit"), "Hz");
  EXPECT_EQ(settings.at("cutoff").at("origin"), "command line");
  EXPECT_EQ(settings.at("still-speed").at("value"), "0.05");
  EXPECT_EQ(settings.at("still-speed").at("origin"), config + ":3");
  EXPECT_EQ(settings.at("margin").at("origin"), "default");
  EXPECT_EQ(settings.at("robot").at("value"), kArm);
}

TEST(Program, PrintedSettingsCanBeReadBack) {
  const TemporaryDirectory directory;
  const Outcome first =
      dynid({"identify", "--robot", kArm, "--cutoff", "8", "--force", "--print-config"});
  ASSERT_EQ(first.status, 0) << first.err;
  const std::string config = directory / "settings.conf";
  writeTextFile(config, first.out);
  const Outcome second = dynid({"identify", "--config", config, "--print-config", "--json"});
  ASSERT_EQ(second.status, 0) << second.err;
  const auto settings = nlohmann::json::parse(second.out);
  EXPECT_EQ(settings.at("cutoff").at("value"), "8");
  EXPECT_EQ(settings.at("force").at("value"), "on");
}

// Printed and read back, the settings of a command are the same: values with `#`, options that are
// repeated, and options that must not be given beside defaults of others.
TEST(Program, PrintedSettingsOfEveryCommandAreTheSameWhenReadBack) {
  const std::vector<std::vector<std::string>> commands = {
      {"identify", "--robot", kArm, "run #1.h5", "run #2.h5", "--output", "the best # one.json"},
      {"excite", "--robot", kArm, "--payload-only", "tool0:2", "--output", "motion.h5"},
      {"import", "--mapping", "m.toml", "run.csv", "--output", "run.h5"},
      {"simulate", "--robot", kArm, "--output", "log.h5"},
      {"validate", "--model", "model.json", "heldout.h5"},
      {"check", "--robot", kArm},
      {"inspect", "run.h5"},
      {"export", "--model", "model.json"}};
  const TemporaryDirectory directory;
  const std::string config = directory / "settings.conf";
  for (std::vector<std::string> command : commands) {
    command.emplace_back("--print-config");
    const Outcome first = dynid(command);
    ASSERT_EQ(first.status, 0) << first.err;
    writeTextFile(config, first.out);
    const auto values = [](const Outcome& run) {
      std::map<std::string, std::pair<std::string, bool>> all;
      const auto settings = nlohmann::json::parse(run.out);
      for (const auto& [name, option] : settings.items())
        if (name != "json") all[name] = {option.at("value"), option.at("origin") == "default"};
      return all;
    };
    command.emplace_back("--json");
    EXPECT_EQ(values(dynid({command.front(), "--config", config, "--print-config", "--json"})),
              values(dynid(command)))
        << first.out;
  }
}

// Editors on Windows begin UTF-8 with a byte order mark and end lines with CR LF.
TEST(Program, TextFilesOfWindowsAreRead) {
  const TemporaryDirectory directory;
  const std::string config = directory / "settings.conf", list = directory / "logs.txt";
  writeTextFile(config,
                "\xEF\xBB\xBF"
                "cutoff = 3\r\nforce = on\r\n");
  const Outcome settings = dynid({"identify", "--config", config, "--print-config"});
  EXPECT_EQ(settings.status, 0) << settings.err;
  writeTextFile(list, "\xEF\xBB\xBF# of Tuesday\r\nrun#1.h5  # the first\r\n");
  const std::string err = dynid({"identify", "--robot", kArm, "--log-list", list}).err;
  EXPECT_THAT(err, HasSubstr(std::string(directory / "run#1.h5") + ": cannot be read"));
  EXPECT_THAT(err, Not(HasSubstr("\xEF")));
}

TEST(Program, AListWithoutLogsIsNamed) {
  const TemporaryDirectory directory;
  const std::string list = directory / "logs.txt";
  writeTextFile(list, "# none yet\n");
  const Outcome run = dynid({"identify", "--robot", kArm, "--log-list", list});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr(list + ": names no log; write one file name per line"));
}

TEST(Program, ConfigurationMistakesNameFileAndLine) {
  const TemporaryDirectory directory;
  const std::string config = directory / "settings.conf";
  const auto complaint = [&](const std::string& text) {
    writeTextFile(config, text);
    const Outcome run = dynid({"identify", "--config", config});
    EXPECT_EQ(run.status, 2) << text;
    return run.err;
  };
  EXPECT_THAT(
      complaint("\ncut-off = 3\n"),
      HasSubstr(config +
                ":2: unknown option \"cut-off\" of dynid identify; did you mean \"cutoff\"?"));
  EXPECT_THAT(complaint("cutoff 3\n"),
              HasSubstr(config + ":1: \"cutoff 3\" is not `name = value`"));
  EXPECT_THAT(complaint("cutoff = 3 Hz\n"),
              HasSubstr(config + ":1: cutoff: \"3 Hz\" is not a finite number"));
  EXPECT_THAT(complaint("cutoff = 3\ncutoff = 4\n"),
              HasSubstr(config + ":2: \"cutoff\" is given twice"));
  EXPECT_THAT(complaint("config = other\n"), HasSubstr("belongs on the command line"));
  EXPECT_EQ(dynid({"identify", "--config", directory / "none"}).status, 3);
}

TEST(Program, AFullDiskBehindStandardOutputIsAnError) {
  RunOptions options;
  options.standard_output = "/dev/full";
  const Outcome run = dynid({"--version"}, options);
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, HasSubstr("standard output: cannot be written"));
}

}  // namespace
}  // namespace dynid
