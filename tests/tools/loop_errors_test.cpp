// Impossible mechanisms: the program reports them with the joints' names and writes nothing.
#include "dynid/core/files.h"

#include <gmock/gmock.h>

#include "tools/child_process.h"

namespace dynid {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// The four-bar linkage with its description changed.
class EditedFourBar {
 public:
  EditedFourBar() {
    description_ = readTextFile(std::string(DYNID_SOURCE_DIR) + "/datasets/four_bar/four_bar.toml");
    replace("\"four_bar.urdf\"", "\"" DYNID_SOURCE_DIR "/datasets/four_bar/four_bar.urdf\"");
  }
  void replace(const std::string& from, const std::string& to) {
    const size_t at = description_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    description_.replace(at, from.size(), to);
  }
  void add(const std::string& text) { description_ += text; }
  std::string writeTo(const std::string& path) const {
    writeTextFile(path, description_);
    return path;
  }

 private:
  std::string description_;
};

const char* const kDrivenCrank =
    "friction = [\"viscous\", \"coulomb\", \"offset\"]\nlimits = { velocity = 8.0, acceleration = "
    "60.0 }";
/// Driven at the rocker, which can only swing between dead centres.
void driveTheRocker(EditedFourBar& robot) {
  robot.replace(kDrivenCrank, "passive = true");
  robot.replace("passive = true\nassembly = 1.7", "assembly = 1.7");
}

/// `check` and `simulate` refuse the robot with the same message, and nothing is written.
std::string refusal(const EditedFourBar& robot) {
  const TemporaryDirectory directory;
  const std::string file = robot.writeTo(directory / "robot.toml");
  const Outcome check = dynid({"check", file});
  EXPECT_EQ(check.status, 3) << check.out << check.err;
  EXPECT_THAT(check.out, IsEmpty());
  const Outcome simulated = dynid({"simulate", file, "--output", directory / "log.h5"});
  EXPECT_EQ(simulated.status, 3) << simulated.err;
  const auto complaint = [](const std::string& text) { return text.substr(text.find("error: ")); };
  EXPECT_EQ(complaint(simulated.err), complaint(check.err));
  EXPECT_THAT(directory.files(), ::testing::ElementsAre("robot.toml"));
  EXPECT_THAT(check.err, Not(HasSubstr("nan")));
  return check.err;
}

TEST(LoopErrors, ALoopThatDoesNotCloseSaysByHowMuchAndNamesItsJoints) {
  EditedFourBar robot;
  robot.replace("[0.45, 0.0, 0.0]", "[1.2, 0.0, 0.0]");  // farther than the crank reaches
  EXPECT_THAT(refusal(robot),
              AllOf(HasSubstr("robot.toml:4: [[loop]]: loop coupler - rocker stays open by"),
                    HasSubstr("its joints: crank_joint, coupler_joint, rocker_joint"),
                    HasSubstr("check origin_a, origin_b and axis")));
}

TEST(LoopErrors, ContradictoryLoopsDoNotCloseAndRedundantOnesDoNoHarm) {
  const std::string again =
      "\n[[loop]]\nlink_a = \"coupler\"\nlink_b = \"rocker\"\ntype = \"revolute\"\norigin_a = { "
      "xyz "
      "= [0.45, 0.0, 0.0] }\norigin_b = { xyz = [0.35, 0.0, 0.0] }\naxis = [0.0, -1.0, 0.0]\n";
  EditedFourBar redundant;
  redundant.add(again);
  const TemporaryDirectory directory;
  const Outcome check = dynid({"check", redundant.writeTo(directory / "robot.toml")});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("8 base parameters"));
  EditedFourBar contradictory;
  contradictory.replace("[0.35, 0.0, 0.0]", "[0.30, 0.0, 0.0]");
  contradictory.add(again);
  EXPECT_THAT(refusal(contradictory),
              AllOf(HasSubstr("loop coupler - rocker stays open by"), HasSubstr("crank_joint")));
}

TEST(LoopErrors, AxesThatContradictTheTreeDoNotClose) {
  EditedFourBar robot;
  robot.replace("axis = [0.0, -1.0, 0.0]", "axis = [1.0, 0.0, 0.0]");
  EXPECT_THAT(refusal(robot), AllOf(HasSubstr("stays open by"), HasSubstr(" rad")));
}

TEST(LoopErrors, UnknownLinksAndJointsAreNamedWithAGuess) {
  EditedFourBar link;
  link.replace("link_b = \"rocker\"", "link_b = \"rokcer\"");
  EXPECT_THAT(refusal(link),
              AllOf(HasSubstr("[[loop]]: the robot has no link \"rokcer\""),
                    HasSubstr("did you mean \"rocker\"?")));
  EditedFourBar joint;
  joint.replace("[joint.coupler_joint]", "[joint.copler_joint]");
  EXPECT_THAT(refusal(joint),
              AllOf(HasSubstr("[joint.copler_joint]: the robot has no moving joint of this name"),
                    HasSubstr("did you mean \"coupler_joint\"?")));
  EditedFourBar type;
  type.replace("type = \"revolute\"", "type = \"revolut\"");
  EXPECT_THAT(refusal(type), HasSubstr("did you mean \"revolute\"?"));
}

TEST(LoopErrors, TooManyOrTooFewDrivenJointsAreCounted) {
  EditedFourBar many;
  many.replace("passive = true\nassembly = 1.7", "assembly = 1.7");
  EXPECT_THAT(refusal(many),
              AllOf(HasSubstr("the loops leave 1 free motion, and 2 joints are driven"),
                    HasSubstr("mark 1 more of the loops' joints passive = true")));
  EditedFourBar none;
  none.replace(kDrivenCrank, "passive = true");
  EXPECT_THAT(refusal(none), HasSubstr("mark 1 fewer of the loops' joints passive"));
}

TEST(LoopErrors, ASingularAssemblyIsRefusedWithTheJointsThatItLeavesOpen) {
  // Frame as long as coupler + rocker - crank: all links are collinear with the crank at half a
  // turn.
  EditedFourBar robot;
  robot.replace("origin_a = { xyz = [0.45, 0.0, 0.0] }", "origin_a = { xyz = [0.3, 0.0, 0.0] }");
  robot.replace("assembly = 0.9 ", "assembly = -3.141592653589793 ");
  robot.replace("assembly = 1.7", "assembly = 3.141592653589793");
  robot.replace("[joint.crank_joint]", "[joint.crank_joint]\nassembly = 3.141592653589793");
  EXPECT_THAT(refusal(robot),
              AllOf(HasSubstr("the loops do not determine passive joint"),
                    HasSubstr("coupler_joint"),
                    HasSubstr("a singular position (at crank_joint = 3.142)")));
}

TEST(LoopErrors, AMimicChainWithoutAMasterIsRefused) {
  const std::string urdf =
      readTextFile(std::string(DYNID_SOURCE_DIR) + "/datasets/four_bar/four_bar.urdf");
  const auto refused = [&](const std::string& crank, const std::string& coupler) {
    const TemporaryDirectory directory;
    std::string edited = urdf;
    const auto mimic = [&](const std::string& joint, const std::string& master) {
      if (master.empty()) return;
      const size_t at = edited.find("<child", edited.find("<joint name=\"" + joint + "\""));
      edited.insert(at, "<mimic joint=\"" + master + "\" multiplier=\"0.5\"/>\n    ");
    };
    mimic("crank_joint", crank);
    mimic("coupler_joint", coupler);
    writeTextFile(directory / "robot.urdf", edited);
    const Outcome outcome =
        dynid({"simulate", directory / "robot.urdf", "--output", directory / "log.h5"});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_THAT(directory.files(), ::testing::ElementsAre("robot.urdf"));
    return outcome.err;
  };
  EXPECT_THAT(refused("coupler_joint", "crank_joint"),
              AllOf(HasSubstr("crank_joint"), HasSubstr("mimics itself in a cycle")));
  EXPECT_THAT(refused("crank_joint", ""), HasSubstr("mimics itself in a cycle"));
  EXPECT_THAT(refused("", "crank_jiont"),
              AllOf(HasSubstr("joint \"coupler_joint\" mimics \"crank_jiont\", which the file does "
                              "not have"),
                    HasSubstr("did you mean \"crank_joint\"?")));
}

TEST(LoopErrors, AMotionThroughADeadCentreIsRefusedWithTheJointAndHowFarItGoes) {
  EditedFourBar robot;
  driveTheRocker(robot);
  const TemporaryDirectory directory;
  const std::string file = robot.writeTo(directory / "robot.toml");
  const Outcome simulated = dynid({"simulate", file, "--output", directory / "log.h5"});
  EXPECT_EQ(simulated.status, 3);
  EXPECT_THAT(
      simulated.err,
      AllOf(HasSubstr("rocker_joint = "),
            HasSubstr("the mechanism can be followed up to rocker_joint = "),
            HasSubstr(
                "restrict the limits of the driven joints to positions at which all loops close")));
  EXPECT_THAT(directory.files(), ::testing::ElementsAre("robot.toml"));
}

}  // namespace
}  // namespace dynid
