// What a user reads first: units of time stamps, faulty inertias, the tables of `identify`, the
// first lines of `excite`, and the command that follows each command.
#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include "tools/edited_log.h"
#include "tools/excite_desk.h"
#include "tools/quickstart_files.h"
#include <fstream>

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kLog = "datasets/quickstart/train.h5";

TEST(Messages, TheUnitOfTimeStampsSince1970IsNamed) {
  const TemporaryDirectory directory;
  const std::string log = directory / "log.h5";
  for (const auto& [factor, unit] :
       {std::pair{1e3, "ms"}, std::pair{1e6, "us"}, std::pair{1e9, "ns"}}) {
    writeEditedLog(log, [&, factor = factor](RawBlock& rows, LogHeader&) {
      rows.time = factor * (rows.time.array() + 1.7e9);
    });
    for (const std::string command : {"inspect", "identify"}) {
      const Outcome run =
          dynid(command == "inspect" ? std::vector<std::string>{command, log}
                                     : std::vector<std::string>{command, "--robot", kArm, log});
      EXPECT_NE(run.status, 0);
      EXPECT_THAT(run.out + run.err,
                  HasSubstr(std::string("give the attribute unit = \"") + unit + "\" of /time"))
          << command;
    }
  }
}

TEST(Messages, TheUnitOfTimeStampsOfATableIsFoundByTheirSize) {
  const TemporaryDirectory directory;
  const std::string table = directory / "table.csv";
  std::ofstream(table) << "time,q0,tau0\n1700000000000000000,0,1\n1700000000010000000,0,1\n"
                          "1700000000020000000,0.1,1\n";
  EXPECT_THAT(dynid({"import", table, "--output", directory / "log.h5"}).out,
              AllOf(ContainsRegex("time +time +x 1e-09 = s"),
                    HasSubstr("note: the times begin with 1700000000000000000 and go in steps of "),
                    HasSubstr(": taken as ns\n")));
}

TEST(Messages, AFaultyInertiaIsAWarning) {
  const TemporaryDirectory directory;
  const std::string urdf = directory / "arm.urdf";
  std::string text = readTextFile(kQuickstart + "arm.urdf");
  const size_t at = text.find("<mass value=\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find('"', at + 13) - at, "<mass value=\"0");
  std::ofstream(urdf) << text;
  const Outcome run = dynid({"identify", "--robot", urdf, kLog, "--output", directory / "m.json"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err,
              HasSubstr("a mass of zero with moments of inertia is not used: links shoulder"));
  EXPECT_THAT(run.err,
              HasSubstr("the described inertia is not usable as a prior: identification uses a "
                        "capsule from joint"));
}

TEST(Messages, ABaseThatMovesInTheLogOfAFixedRobotIsNamed) {
  const TemporaryDirectory directory;
  const std::string floating = directory / "floating.toml", log = directory / "log.h5";
  std::ofstream(floating) << "urdf = \"" << kQuickstart << "arm.urdf\"\nbase = \"floating\"\n";
  ASSERT_EQ(
      dynid({"simulate", floating, "--base", "hybrid", "--duration", "6", "--output", log}).status,
      0);
  EXPECT_THAT(dynid({"inspect", log, "--robot", floating}).out,
              Not(HasSubstr("the base turns by")));
  EXPECT_THAT(
      dynid({"inspect", log, "--robot", kArm}).out,
      ContainsRegex("refused +the base turns by [0-9.]+ deg in this log \\([0-9.]+ deg against "
                    "gravity\\), but the description fixes it[^!]*set base = \"floating\" in the "
                    "robot description"));
}

TEST(Messages, IdentifyShowsMassesAndFrictionAndBaseParametersOnlyOnRequest) {
  const TemporaryDirectory directory;
  const std::string model = directory / "m.json";
  const std::vector<std::string> command = {"identify", "--robot", kArm, kLog, "--output", model};
  const Outcome run = dynid(command);
  EXPECT_THAT(run.out, ContainsRegex("link +mass \\[kg\\] +centre of mass"));
  EXPECT_THAT(run.out, ContainsRegex("joint +Coulomb +viscous +offset +drive inertia"));
  EXPECT_THAT(run.out, Not(HasSubstr("std. dev.")));
  EXPECT_THAT(dynid(with(command, {"--verbose"})).out,
              ContainsRegex("base parameter +value +std. dev."));
}

TEST(Messages, ExciteSaysFirstWhatWasNotCheckedAndWhereTheMotionStarts) {
  const TemporaryDirectory directory;
  const Outcome run = dynid(small(directory / "e.h5"));
  EXPECT_THAT(run.out, StartsWith("NOT CHECKED: collisions"));
  std::string text = run.out;  // without line breaks inside a paragraph
  for (size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
  EXPECT_THAT(text, HasSubstr("\nTHE MOTION STARTS AT joint_1 "));
  EXPECT_THAT(text, HasSubstr(" rad: move the robot there slowly before executing the motion\n"));
  EXPECT_THAT(run.out, HasSubstr("\nnext: dynid simulate datasets/quickstart/arm.toml"));
}

TEST(Messages, EveryCommandNamesTheNextOne) {
  const TemporaryDirectory directory;
  const std::string model = directory / "m.json", log = directory / "log.h5";
  const auto next = [](const std::vector<std::string>& arguments) {
    const Outcome run = dynid(arguments);
    const size_t at = run.out.rfind("\nnext: ");
    return at == std::string::npos ? run.out + run.err : run.out.substr(at + 7);
  };
  EXPECT_THAT(next({"check", kArm}), StartsWith("dynid identify --robot"));
  EXPECT_THAT(next({"inspect", kLog}), StartsWith("dynid inspect " + kLog + " --robot"));
  EXPECT_THAT(next({"inspect", kLog, "--robot", kArm}), StartsWith("dynid identify --robot"));
  EXPECT_THAT(next({"identify", "--robot", kArm, kLog, "--output", model}),
              StartsWith("dynid validate --model"));
  EXPECT_THAT(next({"validate", "--model", kModel, "datasets/quickstart/heldout.h5"}),
              StartsWith("dynid export"));
  EXPECT_THAT(next({"export", kModel, "--urdf", directory / "o.urdf"}), StartsWith("dynid check"));
  const std::string blank = directory / "my arm.";
  EXPECT_THAT(next({"export", kModel, "--urdf", blank + "urdf"}),
              StartsWith("dynid check '" + blank + "urdf'\n"));
  EXPECT_THAT(next({"export", kModel, "--sdf", blank + "sdf"}),
              StartsWith("gz sdf --check '" + blank + "sdf'\n"));
  EXPECT_THAT(next({"export", kModel, "--c", blank + "c"}),
              StartsWith("cc -std=c99 -O2 -c '" + blank + "c'\n"));
  EXPECT_THAT(dynid({"check",
                     "datasets/quickstart/arm.urdf",
                     "--init-description",
                     "--output",
                     blank + "toml"})
                  .out,
              HasSubstr("then dynid check '" + blank + "toml'\n"));
  EXPECT_THAT(next({"simulate", kArm, "--output", log, "--duration", "6"}),
              StartsWith("dynid identify --robot"));
}

}  // namespace
}  // namespace dynid
