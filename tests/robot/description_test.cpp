#include "dynid/robot/description.h"

#include <gmock/gmock.h>

#include "test_texts.h"

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kEverything = R"(urdf = "three.urdf"
gravity = [0.0, -9.81, 0]
base = "fixed"
ignore = { j1 = 0.02 }

[robot]
total_mass = [30.0, 36.0]

[link.b]
mass = [2.0, 5]
com_box = [[-0.1, -0.1, 0.0], [0.1, 0.1, 0.6]]
ellipsoid = { center = [0.0, 0.0, 0.3], radii = [0.1, 0.1, 0.4] }

[joint.j2]
friction = ["viscous", "coulomb", "ripple"]
position_effects = [
  { type = "spring" }, { type = "polynomial", degree = 7, at = "actuator" },
  { type = "fourier", harmonics = 2 },
  { type = "counterbalance", radius = 0.2, distance = 0.8, angle = 0.1 },
]
drive_inertia = false
gear_ratio = -101
drive_gain = -10.7
limits = { position = [-3.1, 3.1], velocity = 2.0, acceleration = 8.0, effort = 150.0 }

[joint.j3]
friction = "auto"
drive_gain = "identify"

[payload]
link = "c"
)";

TEST(Description, EveryKeyArrives) {
  const Robot robot = parseRobot(kEverything, threeJoints());
  EXPECT_EQ(robot.gravity, Eigen::Vector3d(0, -9.81, 0));
  EXPECT_FALSE(robot.floating_base);
  EXPECT_EQ(robot.ignored_joints.at("j1"), 0.02);
  EXPECT_EQ(robot.total_mass->at(1), 36.0);
  EXPECT_EQ(*robot.payload_link, "c");
  ASSERT_THAT(robot.jointNames(), ElementsAre("j2", "j3"));

  const LinkBounds& bounds = robot.bodies[0].bounds;
  EXPECT_EQ(bounds.mass->at(0), 2.0);
  EXPECT_EQ(bounds.com_box->at(1), Eigen::Vector3d(0.1, 0.1, 0.6));
  EXPECT_EQ(bounds.ellipsoid->center, Eigen::Vector3d(0, 0, 0.3));
  EXPECT_EQ(bounds.ellipsoid->radii, Eigen::Vector3d(0.1, 0.1, 0.4));

  const Drive& drive = robot.drives[0];
  EXPECT_FALSE(drive.automatic_friction);
  EXPECT_THAT(
      drive.friction,
      ElementsAre(FrictionEffect::kViscous, FrictionEffect::kCoulomb, FrictionEffect::kRipple));
  ASSERT_EQ(drive.position_effects.size(), 4u);
  EXPECT_EQ(drive.position_effects[0].kind, PositionEffect::Kind::kSpring);
  EXPECT_FALSE(drive.position_effects[0].at_actuator);
  EXPECT_EQ(drive.position_effects[1].kind, PositionEffect::Kind::kPolynomial);
  EXPECT_EQ(drive.position_effects[1].degree, 7);
  EXPECT_TRUE(drive.position_effects[1].at_actuator);
  EXPECT_EQ(drive.position_effects[2].kind, PositionEffect::Kind::kFourier);
  EXPECT_EQ(drive.position_effects[2].harmonics, 2);
  EXPECT_EQ(drive.position_effects[3].kind, PositionEffect::Kind::kCounterbalance);
  EXPECT_EQ(drive.position_effects[3].radius, 0.2);
  EXPECT_EQ(drive.position_effects[3].distance, 0.8);
  EXPECT_EQ(drive.position_effects[3].angle, 0.1);
  EXPECT_FALSE(drive.drive_inertia);
  EXPECT_EQ(*drive.gear_ratio, -101.0);
  EXPECT_EQ(*drive.drive_gain, -10.7);
  const JointLimits& limits = robot.joints[0].limits;
  EXPECT_EQ(limits.lower, -3.1);
  EXPECT_EQ(limits.upper, 3.1);
  EXPECT_EQ(limits.velocity, 2.0);
  EXPECT_EQ(limits.acceleration, 8.0);
  EXPECT_EQ(limits.effort, 150.0);

  EXPECT_TRUE(robot.drives[1].automatic_friction);
  EXPECT_TRUE(robot.drives[1].identify_gain);
  EXPECT_FALSE(robot.drives[1].drive_gain.has_value());
  EXPECT_EQ(robot.description_text, kEverything);
}

TEST(Description, NothingGivenMeansDefaults) {
  const Robot robot = parseRobot("", threeJoints());
  EXPECT_EQ(robot.gravity, Eigen::Vector3d(0, 0, -9.80665));
  for (const Drive& drive : robot.drives) {
    EXPECT_TRUE(drive.automatic_friction);
    EXPECT_TRUE(drive.drive_inertia);
    EXPECT_FALSE(drive.identify_gain);
    EXPECT_FALSE(drive.gear_ratio.has_value());
  }
  EXPECT_FALSE(robot.payload_link.has_value());
  EXPECT_FALSE(robot.total_mass.has_value());
}

TEST(Description, UnknownKeysAreRefusedWithTheNearestOne) {
  EXPECT_THAT(descriptionError("\ngravty = [0, 0, 1]"),
              StartsWith("robot.toml:2: unknown key \"gravty\"; did you mean \"gravity\"?"));
  EXPECT_THAT(
      descriptionError("[joint.j1]\nfricton = \"auto\""),
      StartsWith(
          "robot.toml:2: unknown key \"fricton\" in [joint.j1]; did you mean \"friction\"?"));
  EXPECT_THAT(descriptionError("[joint.j1]\nlimits = { speed = 1.0 }"),
              StartsWith("robot.toml:2: unknown key \"speed\" in [joint.j1] limits"));
  EXPECT_THAT(descriptionError("[link.a]\nmas = [1, 2]"),
              HasSubstr("unknown key \"mas\" in [link.a]; did you mean \"mass\"?"));
  EXPECT_THAT(descriptionError("[robot]\nmass = 3"),
              HasSubstr("robot.toml:2: unknown key \"mass\" in [robot]"));
  EXPECT_THAT(descriptionError("[payload]\nlink = \"c\"\nmass = 3"),
              HasSubstr("unknown key \"mass\" in [payload]"));
  EXPECT_THAT(
      descriptionError(
          "[[transmission]]\njoints = [\"j1\"]\nmatrix = [[1.0]]\nmesured = \"joint\""),
      HasSubstr(
          "robot.toml:4: unknown key \"mesured\" in [[transmission]]; did you mean \"measured\"?"));
  EXPECT_THAT(
      descriptionError("[joint.j1]\nposition_effects = [{ type = \"spring\", degree = 2 }]"),
      HasSubstr("unknown key \"degree\" in [joint.j1] position_effects"));
}

TEST(Description, WrongTypesAreNamed) {
  EXPECT_EQ(descriptionError("gravity = [0, 0, -981]"),
            "robot.toml:1: gravity: 981 m/s^2 is more than on any planet; on Earth it is [0, 0, "
            "-9.81] if z of the root link points up");
  EXPECT_EQ(descriptionError("gravity = \"down\""),
            "robot.toml:1: gravity: is a string; a list of numbers is expected");
  EXPECT_EQ(descriptionError("gravity = [0.0, 9.81]"),
            "robot.toml:1: gravity: has 2 numbers; three are expected");
  EXPECT_EQ(descriptionError("gravity = [0.0, 0.0, nan]"),
            "robot.toml:1: gravity: is not finite; give a number");
  EXPECT_EQ(descriptionError("[joint.j1]\ndrive_inertia = 1"),
            "robot.toml:2: [joint.j1] drive_inertia: is an integer; true or false is expected");
  EXPECT_THAT(descriptionError("urdf = 3"), HasSubstr("a text in quotes is expected"));
  EXPECT_THAT(descriptionError("base = \"float\""), HasSubstr("base: \"float\" is not known"));
  EXPECT_THAT(descriptionError("robot = 3"), HasSubstr("a table is expected"));
  EXPECT_THAT(descriptionError("[joint]\nj1 = 3"), HasSubstr("a table is expected, as [joint.j1]"));
  EXPECT_THAT(descriptionError("transmission = 3"),
              HasSubstr("a list of tables is expected, as [[transmission]]"));
  EXPECT_THAT(descriptionError("[joint.j1]\nfriction = [1]"),
              HasSubstr("a list of texts is expected"));
  EXPECT_THAT(descriptionError("[joint.j1]\nfriction = 3"),
              HasSubstr("a list of texts is expected"));
}

TEST(Description, GainsMustBeUsable) {
  EXPECT_THAT(descriptionError("[joint.j1]\ndrive_gain = 0.0"),
              StartsWith("robot.toml:2: [joint.j1] drive_gain: is zero; give N m/A on the joint "
                         "side, or \"identify\""));
  EXPECT_THAT(descriptionError("[joint.j1]\ndrive_gain = nan"),
              HasSubstr("drive_gain: is not finite"));
  EXPECT_THAT(descriptionError("[joint.j1]\ndrive_gain = \"auto\""),
              HasSubstr("or \"identify\" is expected"));
  EXPECT_THAT(descriptionError("[joint.j1]\ngear_ratio = 0"), HasSubstr("gear_ratio: is zero"));
}

TEST(Description, FrictionMustBeKnownAndNamedOnce) {
  EXPECT_THAT(descriptionError("[joint.j1]\nfriction = [\"coulom\"]"),
              HasSubstr("friction: \"coulom\" is not known; did you mean \"coulomb\"? (any of: "
                        "viscous, coulomb, offset"));
  EXPECT_THAT(descriptionError("[joint.j1]\nfriction = [\"load\", \"load\"]"),
              HasSubstr("\"load\" occurs twice"));
  EXPECT_THAT(descriptionError("[joint.j1]\nfriction = \"viscous\""),
              HasSubstr("\"auto\" or a list"));
  for (const FrictionEffect effect : allFrictionEffects()) {
    const Robot robot = parseRobot(
        "[joint.j1]\nfriction = [\"" + std::string(toString(effect)) + "\"]", threeJoints());
    EXPECT_THAT(robot.drives[0].friction, ElementsAre(effect));
  }
}

TEST(Description, PositionEffectsMustBeComplete) {
  const auto effect = [](const std::string& text) {
    return descriptionError("[joint.j1]\nposition_effects = [{ " + text + " }]");
  };
  EXPECT_THAT(effect(""), HasSubstr("[joint.j1] position_effects: needs a type"));
  EXPECT_THAT(effect("type = \"sprung\""), HasSubstr("did you mean \"spring\"?"));
  EXPECT_THAT(effect("type = \"polynomial\""), HasSubstr("needs degree"));
  EXPECT_THAT(effect("type = \"polynomial\", degree = 2.5"),
              HasSubstr("an integer from 1 to 12 is expected"));
  EXPECT_THAT(effect("type = \"fourier\""), HasSubstr("needs harmonics"));
  EXPECT_THAT(effect("type = \"counterbalance\", radius = 0.1"), HasSubstr("needs distance"));
  EXPECT_THAT(effect("type = \"counterbalance\", radius = -0.1, distance = 1"),
              HasSubstr("a positive number is expected"));
  EXPECT_THAT(effect("type = \"spring\", at = \"motor\""), HasSubstr("(one of: joint, actuator)"));
}

TEST(Description, BoundsMustLeaveRoom) {
  EXPECT_THAT(
      descriptionError("[link.a]\nmass = [5.0, 2.0]"),
      HasSubstr("robot.toml:2: [link.a] mass: [lower, upper] with lower < upper is expected"));
  EXPECT_THAT(descriptionError("[link.a]\nmass = [-1, 2.0]"),
              HasSubstr("the lower bound is negative"));
  EXPECT_THAT(descriptionError("[robot]\ntotal_mass = [-1, 2.0]"),
              HasSubstr("the lower bound is negative"));
  EXPECT_THAT(descriptionError("[link.a]\ncom_box = [[0, 0, 0], [1, 1, 0]]"),
              HasSubstr("lower corner is not below"));
  EXPECT_THAT(descriptionError("[link.a]\ncom_box = [0, 1]"),
              HasSubstr("a list of numbers is expected"));
  EXPECT_THAT(descriptionError("[link.a]\ncom_box = [[0, 0], [1, 1]]"),
              HasSubstr("[[x, y, z], [x, y, z]] is expected"));
  EXPECT_THAT(descriptionError("[link.a]\nellipsoid = { center = [0, 0, 0] }"),
              HasSubstr("needs both center and radii"));
  EXPECT_THAT(descriptionError("[link.a]\nellipsoid = { center = [0, 0, 0], radii = [1, 1, 0] }"),
              HasSubstr("radii must be positive"));
  EXPECT_THAT(descriptionError("[joint.j1]\nlimits = { velocity = 0 }"),
              HasSubstr("a positive number is expected"));
}

TEST(Description, InvalidTomlNamesTheLine) {
  EXPECT_THAT(descriptionError("urdf = \"x\"\n[joint.j1\n"),
              StartsWith("robot.toml:2: not valid TOML: "));
  EXPECT_THAT(descriptionError("urdf = \"x\"\nurdf = \"y\"\n"),
              StartsWith("robot.toml:2: not valid TOML: "));
  EXPECT_THAT(descriptionError("urdf = \"\xff\xfe\"\n"),
              StartsWith("robot.toml:1: not valid TOML: "));
}

TEST(Description, OversizedOrDeepTextsAreRefused) {
  EXPECT_THAT(descriptionError(std::string(300000, '#')), HasSubstr("is larger than 256 KiB"));
  std::string deep = "a";
  for (int i = 0; i < 30000; ++i) deep += ".a";
  EXPECT_THAT(descriptionError(deep + " = 1"), HasSubstr("has more than 8000 dots"));
  EXPECT_THAT(descriptionError("x = " + std::string(60000, '[')),
              StartsWith("robot.toml:1: not valid TOML: "));
}

TEST(Description, KeysOfLoopsAreChecked) {
  EXPECT_THAT(descriptionError("[[loop]]\nlinka = \"a\"\n"), HasSubstr("needs link_a and link_b"));
  const std::string links = "[[loop]]\nlink_a = \"a\"\nlink_b = \"b\"\n";
  EXPECT_THAT(descriptionError(links + "type = \"revolut\"\n"),
              HasSubstr("did you mean \"revolute\"?"));
  EXPECT_THAT(descriptionError(links + "type = \"fixed\"\norigin = { xyz = [0, 0, 1] }\n"),
              HasSubstr("did you mean \"origin_a\"?"));
  EXPECT_THAT(descriptionError(links + "type = \"revolute\"\naxis = [0, 0, 0]\n"),
              HasSubstr("axis"));
}

TEST(Description, NamesMustBeThoseOfTheUrdf) {
  EXPECT_EQ(descriptionError("ignore = [\"j9\"]"),
            "robot.toml:1: ignore: \"j9\" is not a joint of robot.urdf");
  EXPECT_THAT(descriptionError("[link.d]\nmass = [1, 2]"),
              HasSubstr("robot.toml:1: [link.d]: the robot has no such link; did you mean \"a\"? "
                        "(moving links: a, b, c)"));
  EXPECT_THAT(descriptionError("[link.base]\nmass = [1, 2]"),
              HasSubstr("fixed to the root link and never moves"));
  EXPECT_THAT(
      descriptionError("[joint.elbow]"),
      HasSubstr("[joint.elbow]: the robot has no moving joint \"elbow\" (joints: j1, j2, j3)"));
  EXPECT_THAT(descriptionError("ignore = [\"j1\"]\n[joint.j1]\ngear_ratio = 2"),
              HasSubstr("joint \"j1\" is ignored or excluded"));
  EXPECT_THAT(descriptionError("[payload]\nlink = \"tool\""),
              HasSubstr("[payload]: the robot has no moving link \"tool\""));
  EXPECT_THAT(descriptionError("[payload]"), HasSubstr("[payload]: needs link"));
}

// A run without the wrist can use the same description.
TEST(Description, EntriesOfJointsLeftOutOnTheCommandLineDoNotApply) {
  const std::string text =
      urdf(link("base") + link("a") + link("b") + joint("j1", "revolute", "base", "a") +
           joint("j2", "revolute", "a", "b"));
  RobotOptions options;
  options.exclude_joints = {"j2"};
  const Robot robot =
      parseRobot("[joint.j2]\ngear_ratio = 3\n[link.b]\nmass = [1, 2]\n", text, options);
  EXPECT_EQ(robot.numJoints(), 1);
  EXPECT_FALSE(robot.bodies[0].bounds.mass.has_value());
}

// A link behind an excluded joint is one body with the link before it.
TEST(Description, MassBoundsOfLinksThatAreFixedToOneAnotherAddUp) {
  const std::string text =
      urdf(link("base") + link("a") + link("b") + joint("j1", "revolute", "base", "a") +
           joint("j2", "revolute", "a", "b"));
  RobotOptions options;
  options.exclude_joints = {"j2"};
  const std::string a = "[link.a]\nmass = [3, 5]\ncom_box = [[-1, -1, -1], [1, 1, 1]]\n";
  const LinkBounds sum =
      parseRobot(a + "[link.b]\nmass = [1, 2]\n", text, options).bodies[0].bounds;
  EXPECT_EQ(*sum.mass, (std::array<double, 2>{4.0, 7.0}));
  EXPECT_FALSE(sum.com_box.has_value());
  EXPECT_FALSE(parseRobot(a, text, options).bodies[0].bounds.mass.has_value());
  EXPECT_EQ(*parseRobot(a, text).bodies[0].bounds.mass, (std::array<double, 2>{3.0, 5.0}));
}

TEST(Description, QuotedNamesWork) {
  const std::string text =
      urdf(link("base") + link("the arm") + joint("j.1", "revolute", "base", "the arm"));
  const Robot robot =
      parseRobot("[joint.\"j.1\"]\ngear_ratio = 3\n[link.\"the arm\"]\nmass = [1, 2]\n", text);
  EXPECT_EQ(*robot.drives[0].gear_ratio, 3.0);
  EXPECT_TRUE(robot.bodies[0].bounds.mass.has_value());
}

}  // namespace
}  // namespace dynid
