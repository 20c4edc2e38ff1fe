#include "dynid/core/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "excite_desk.h"
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

namespace dynid {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The quickstart arm's URDF with every <limit> replaced.
void writeArmWithLimits(const TemporaryDirectory& directory, const std::string& limit) {
  std::ifstream file(std::string(DYNID_SOURCE_DIR) + "/datasets/quickstart/arm.urdf");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::ofstream(directory / "arm.urdf")
      << std::regex_replace(text, std::regex("<limit[^>]*/>"), limit);
}

// Checks that the refused command leaves only the robot's files in the directory.
Outcome refused(const TemporaryDirectory& directory, int status, const std::string& options) {
  const Desk desk{directory};
  const std::vector<std::string> before = directory.files();
  Outcome outcome = desk.tryTo(
      "dynid excite arm.urdf --output t.h5 --csv t.csv --ros t.yaml --report t.html "
      "--starts 1 " +
      options);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(directory.files(), before);
  return outcome;
}

TEST(ExciteRefuses, LimitsThatCannotBeMet) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  Outcome outcome = dynid({"excite", kArm, "--output", file, "--duration", "0.05"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("joint_1: in 0.05 s the harmonic 5 may move it by"));
  EXPECT_THAT(outcome.err, HasSubstr("--duration of at least"));

  outcome = dynid(with(small(file), {"--start", "0,9,0", "--json"}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("joint_2: start posture 9 is 6.4 outside of the position"));
  EXPECT_FALSE(nlohmann::json::parse(outcome.out)["feasible"].get<bool>());
  EXPECT_TRUE(directory.files().empty());
}

TEST(ExciteRefuses, JointsWithoutRange) {
  const TemporaryDirectory directory;
  writeArmWithLimits(directory, R"(<limit lower="0.25" upper="0.25" velocity="1" effort="0"/>)");
  const Outcome outcome = refused(directory, 1, "");
  EXPECT_THAT(outcome.err,
              HasSubstr("joint_1: position limits 0.25 to 0.25 leave no room; widen them"));
  EXPECT_THAT(outcome.err, HasSubstr("--exclude-joint"));
}

TEST(ExciteRefuses, MotorsThatCannotHoldTheArm) {
  const TemporaryDirectory directory;
  writeArmWithLimits(directory, R"(<limit lower="-2" upper="2" velocity="1" effort="2"/>)");
  const Outcome outcome = refused(directory, 1, "");
  EXPECT_THAT(outcome.err, HasSubstr("joint_2: to hold the robot still takes "));
  EXPECT_THAT(outcome.err, HasSubstr(" more than the effort limit 1.8; raise the limit"));
}

// A lever of 2 kg with its centre of mass 0.5 m from its axis, within 0.5 rad of the horizontal: at
// least 8.609 N m. Two percent less could be an error of the search over resting postures.
TEST(ExciteRefuses, EffortsThatAllowNoMotion) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "arm.urdf") << R"(<robot name="lever"><link name="base"/>
<link name="lever"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="axis" type="revolute"><parent link="base"/><child link="lever"/><axis xyz="0 1 0"/>
<limit lower="-0.5" upper="0.5" velocity="2" effort="8.4"/></joint></robot>)";
  const Outcome outcome = refused(directory, 1, "--effort-share 1");
  EXPECT_THAT(outcome.err, HasSubstr("no trajectory found within the effort limits; the best one"));
  EXPECT_THAT(outcome.err, HasSubstr("axis takes "));
  EXPECT_THAT(outcome.err, HasSubstr(" more than its limit 8.4; raise the limit"));
}

TEST(Excite, WithoutAnyLimitsSaysWhatIsTakenInstead) {
  const TemporaryDirectory directory;
  writeArmWithLimits(directory, "");
  const Outcome outcome = Desk{directory}.tryTo(
      "dynid excite arm.urdf --output t.h5 --starts 1 --harmonics 2 "
      "--duration 10 --exclude-joint joint_4 --exclude-joint joint_5 "
      "--exclude-joint joint_6");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* assumed : {"no position limits for joint_1, joint_2, joint_3: +-pi",
                              "no velocity limit for joint_1, joint_2, joint_3: 1 rad/s",
                              "no acceleration limit for joint_1, joint_2, joint_3: velocity limit",
                              "no --noise: 1 N m"})
    EXPECT_THAT(outcome.out, HasSubstr(assumed));
}

// With one harmonic each joint has two coefficients, too few for the parameters of three joints.
TEST(Excite, AMotionThatLeavesParametersUndeterminedIsPoor) {
  const TemporaryDirectory directory;
  writeArmWithLimits(directory, "");
  const Outcome outcome = Desk{directory}.tryTo(
      "dynid excite arm.urdf --output t.h5 --starts 1 --harmonics 1 "
      "--duration 10 --exclude-joint joint_4 --exclude-joint joint_5 "
      "--exclude-joint joint_6 --report t.html");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("POOR MOTION: some parameters have no influence of their own"));
  const std::string page = readTextFile(directory / "t.html");
  EXPECT_THAT(page, HasSubstr("poor motion"));
  EXPECT_THAT(page, HasSubstr("Give more --harmonics or more --starts"));
}

TEST(ExciteRefuses, OutputsThatCannotBeWritten) {
  const TemporaryDirectory directory;
  const Desk desk{directory};
  for (const char* outputs : {"--output missing/t.h5",
                              "--output t.h5 --csv missing/t.csv",
                              "--output t.h5 --ros missing/t.yaml",
                              "--output t.h5 --report missing/t.html"}) {
    const Outcome outcome =
        desk.tryTo(std::string("dynid excite ") + DYNID_SOURCE_DIR + "/" + kArm + " " + outputs);
    EXPECT_EQ(outcome.status, 4);
    EXPECT_THAT(outcome.err, HasSubstr("missing/t."));
    EXPECT_THAT(outcome.err, HasSubstr("cannot be written"));
  }
  EXPECT_THAT(directory.files(), IsEmpty());
}

TEST(Excite, InterruptedKeepsTheBestMotion) {
  const TemporaryDirectory directory;
  RunOptions interrupted;
  interrupted.signal = SIGINT;
  interrupted.signal_after_s = 1.5;
  const Outcome outcome = dynid({"excite",
                                 kArm,
                                 "--output",
                                 directory / "t.h5",
                                 "--csv",
                                 directory / "t.csv",
                                 "--seconds",
                                 "60"},
                                interrupted);
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err,
              HasSubstr("interrupted; the best motion found until then was written to"));
  EXPECT_THAT(directory.files(), ::testing::UnorderedElementsAre("t.h5", "t.csv"));
  EXPECT_EQ(dynid({"inspect", directory / "t.h5"}).status, 0);
}

TEST(ExciteRefuses, WrongCommandLines) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  Outcome outcome = dynid({"excite", kArm, "--output", file, "--criterion", "best"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("expected d, a, e or condition"));
  outcome = dynid({"excite", kArm, "--output", file, "--max-acceleration", "2,3"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("acceleration has 2 values"));
  outcome = dynid({"excite", kArm, "--output", file, "--noise", "1,x"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("\"x\" is not a number"));
  EXPECT_EQ(dynid({"excite", kArm}).status, 2);
  EXPECT_TRUE(directory.files().empty());
}

TEST(ExciteRefuses, StatisticsThatDoNotFit) {
  const TemporaryDirectory directory;
  writeThreeJoints(directory);
  const Desk desk{directory};
  desk.run("dynid simulate arm.toml --duration 10 --effort-noise 0.3 --output a.h5 --quiet");
  desk.run(
      "dynid simulate arm.toml --duration 10 --effort-noise 0.3 --payload tool0:1.5 --output l.h5 "
      "--quiet");
  for (const char* log : {"a", "l"})
    desk.run(std::string("dynid identify --robot arm.toml --quiet --no-certificate --output ") +
             log + ".json --save-statistics s" + log + ".h5 " + log + ".h5");
  const auto refused = [&](const std::string& robot, const std::string& statistics) {
    const Outcome outcome = desk.tryTo("dynid excite " + robot +
                                       " --output e.h5 --starts 1 --statistics " + statistics);
    EXPECT_EQ(outcome.status, 3);
    return outcome.err;
  };
  EXPECT_THAT(refused("arm.toml", "a.h5"),
              HasSubstr("a.h5: is an HDF5 log, expected a file of statistics"));
  EXPECT_THAT(refused("arm.toml", "sl.h5"), HasSubstr("sl.h5:/payloads: log l.h5 carries a load"));
  std::ofstream(directory / "moon.toml") << "gravity = [0.0, 0.0, -1.62]\n"
                                         << desk.read("arm.toml");
  EXPECT_THAT(refused("moon.toml", "sa.h5"), HasSubstr("another description of robot"));
  EXPECT_FALSE(std::filesystem::exists(directory / "e.h5"));
}

TEST(ExciteRefuses, APayloadOnALinkThatDoesNotMove) {
  const TemporaryDirectory directory;
  const std::string file = directory / "t.h5";
  const auto refused = [&](const std::string& payload) {
    const Outcome outcome = dynid(with(small(file), {"--payload-only", payload}));
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  EXPECT_THAT(refused("tol0"), HasSubstr("has no moving link \"tol0\"; did you mean \"tool0\""));
  EXPECT_THAT(refused("tool0:x"), HasSubstr("is not LINK or LINK:MASS"));
}

TEST(ExciteRefuses, Collisions) {
  const TemporaryDirectory directory;
  const Desk desk{directory};
  writePlanarArm(directory, kTable);
  Outcome outcome = desk.tryTo(std::string(kPlanar) + "--start=-0.7,-0.3 --json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("start posture: fore and box table overlap by 0.1"));
  EXPECT_FALSE(nlohmann::json::parse(outcome.out)["feasible"].get<bool>());
  // The elbow cannot hold the tool in the range in which the shoulder moves.
  writePlanarArm(directory,
                 "[workspace]\nlink = \"tool\"\nlower = [0.6, -1, 0.4]\nupper = [0.65, 1, 0.42]\n");
  outcome = desk.tryTo(std::string(kPlanar) + "--clearance 0.05");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("no trajectory found that keeps clear; the best one so far: tool and the "));
  EXPECT_FALSE(std::filesystem::exists(directory / "t.h5"));
  writePlanarArm(directory, "[workspace]\nlink = \"tool\"\nlower = [5, 5, 5]\nupper = [6, 6, 6]\n");
  outcome = desk.tryTo(kPlanar);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("tool and the lower y face of its workspace: the largest distance found in "
                        "any posture within the limits is -5 m"));
  EXPECT_THAT(outcome.err,
              HasSubstr("(also too near: tool and the lower x face of its workspace, "));
  EXPECT_THAT(outcome.err,
              HasSubstr("correct `lower` and `upper` ([workspace] in the description"));
  EXPECT_FALSE(std::filesystem::exists(directory / "t.h5"));
  writePlanarArm(directory, "[ground]\nheight = 0.3\n[[collision.sphere]]\nlink = \"fire\"\n");
  EXPECT_EQ(desk.tryTo(kPlanar).status, 3);
}

}  // namespace
}  // namespace dynid
