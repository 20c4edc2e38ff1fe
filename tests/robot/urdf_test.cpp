#include "dynid/robot/urdf.h"

#include <gmock/gmock.h>

#include "test_texts.h"
#include <clocale>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string inertial(const std::string& mass, const std::string& moments) {
  return "<inertial><mass value=\"" + mass + "\"/>\n<inertia " + moments + "/></inertial>";
}

const std::string kBody = "<mass value=\"1\"/><inertia ixx=\"0.02\" iyy=\"0.02\" izz=\"0.02\"/>";

std::string oneJoint(const std::string& type, const std::string& more) {
  return urdf(link("base") + link("a") + joint("j", type, "base", "a", more));
}

TEST(Urdf, ReadsEveryNumberOfAJoint) {
  const TreeDocument document = parseUrdf(
      oneJoint("prismatic",
               "<origin xyz=\" 1 2\t3 \" rpy=\"0 0 1.5707963267948966\"/><axis xyz=\"0 3 4\"/>"
               "<limit lower=\"-0.5\" upper=\"+2e-1\" effort=\"30\" velocity=\"0.25\"/>"
               "<dynamics damping=\"4\" friction=\"5\"/><safety_controller k_velocity=\"x\"/>"),
      "x.urdf");
  ASSERT_EQ(document.joints.size(), 1u);
  const TreeJoint& j = document.joints[0];
  EXPECT_EQ(j.type, TreeJointType::kPrismatic);
  EXPECT_EQ(j.X_PF.p, Eigen::Vector3d(1, 2, 3));
  EXPECT_NEAR((j.X_PF.R - rotationFromRpy({0, 0, 1.5707963267948966})).norm(), 0.0, 1e-16);
  EXPECT_NEAR((j.axis - Eigen::Vector3d(0, 0.6, 0.8)).norm(), 0.0, 1e-16);
  EXPECT_EQ(j.limits.lower, -0.5);
  EXPECT_EQ(j.limits.upper, 0.2);
  EXPECT_EQ(j.limits.effort, 30.0);
  EXPECT_EQ(j.limits.velocity, 0.25);
  EXPECT_EQ(j.damping, 4.0);
  EXPECT_EQ(j.friction, 5.0);
  EXPECT_EQ(document.name, "r");
  EXPECT_EQ(document.links[document.root].name, "base");
}

TEST(Urdf, MissingPartsHaveTheDefaultsOfTheFormat) {
  const TreeDocument document = parseUrdf(oneJoint("revolute", ""), "x.urdf");
  const TreeJoint& j = document.joints[0];
  EXPECT_EQ(j.axis, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(j.X_PF.p, Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(j.limits.upper, kInfinity);
  EXPECT_EQ(j.limits.effort, kInfinity);
  EXPECT_FALSE(j.mimic.has_value());
  EXPECT_FALSE(document.links[0].inertial.has_value());
}

TEST(Urdf, ZeroEffortAndVelocityLimitsMeanNone) {
  const JointLimits limits =
      parseUrdf(
          oneJoint("revolute", "<limit lower=\"-1\" upper=\"1\" effort=\"0\" velocity=\"0\"/>"),
          "x.urdf")
          .joints[0]
          .limits;
  EXPECT_EQ(limits.effort, kInfinity);
  EXPECT_EQ(limits.velocity, kInfinity);
  EXPECT_EQ(limits.lower, -1.0);
}

TEST(Urdf, ContinuousJointsHaveNoPositionLimits) {
  const JointLimits limits =
      parseUrdf(
          oneJoint("continuous", "<limit lower=\"-1\" upper=\"1\" effort=\"2\" velocity=\"3\"/>"),
          "x.urdf")
          .joints[0]
          .limits;
  EXPECT_EQ(limits.lower, -kInfinity);
  EXPECT_EQ(limits.upper, kInfinity);
  EXPECT_EQ(limits.effort, 2.0);
}

TEST(Urdf, InertialIsTakenToTheLinkOriginInLinkAxes) {
  const TreeDocument document = parseUrdf(
      urdf(link(
          "base",
          "<inertial><origin xyz=\"0.1 0 0\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
          "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/></inertial>")),
      "x.urdf");
  InertialParameters expected;  // x and y are exchanged; 2 * 0.1^2 is added to Iyy and Izz
  expected << 2, 0.2, 0, 0, 2, 0, 0, 1.02, 0, 2.52;
  ASSERT_TRUE(document.links[0].inertial.has_value());
  EXPECT_LT((*document.links[0].inertial - expected).norm(), 1e-15);
}

TEST(Urdf, ForeignBlocksArePassedOver) {
  EXPECT_NO_THROW(parseUrdf(
      urdf("<gazebo><link name=\"a\"/></gazebo><transmission name=\"t\"><joint "
           "name=\"j\"/></transmission>"
           "<material name=\"m\"/><!-- <link name=\"base\"/> -->" +
           link("base",
                "<visual><geometry><mesh filename=\"package://x/y.dae\"/></geometry></visual>")),
      "x.urdf"));
}

// A robot of several meshes or materials per link has several visuals and collisions.
TEST(Urdf, ALinkMayHaveSeveralVisualsAndCollisions) {
  const std::string shape = "<geometry><sphere radius=\"0.1\"/></geometry>";
  for (const std::string& kind : std::vector<std::string>{"visual", "collision"}) {
    const std::string one = "<" + kind + ">" + shape + "</" + kind + ">";
    EXPECT_TRUE(parseUrdf(urdf(link("base", one + one)), "x.urdf").links[0].has_shape) << kind;
  }
  EXPECT_FALSE(parseUrdf(urdf(link("base")), "x.urdf").links[0].has_shape);
}

TEST(Urdf, NumbersDoNotFollowTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "de_DE"}) std::setlocale(LC_ALL, locale);
  const double x =
      parseUrdf(oneJoint("fixed", "<origin xyz=\"1.5 0 0\"/>"), "x.urdf").joints[0].X_PF.p.x();
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(x, 1.5);
}

TEST(Urdf, BrokenXmlNamesTheLine) {
  EXPECT_THAT(urdfError("<robot name=\"r\">\n<link name=\"a\">\n</robot>\n"),
              StartsWith("robot.urdf:2: not well-formed XML"));
  EXPECT_THAT(urdfError(""), HasSubstr("robot.urdf: is empty; a URDF is expected"));
  EXPECT_THAT(urdfError(std::string("<robot\0>", 8)), HasSubstr("is a binary file"));
  EXPECT_THAT(urdfError("just text"), StartsWith("robot.urdf:1: "));
  EXPECT_THAT(urdfError("<robot name=\"r\">\n<link name=\"a\" name=\"b\"/></robot>"),
              StartsWith("robot.urdf:2: not well-formed XML: an attribute of this element is "
                         "written twice"));
  EXPECT_THAT(
      urdfError("<?xml version=\"1.0\"?><robot name=\"r\"/>\n<?xml version=\"1.0\"?><robot/>"),
      HasSubstr("perhaps a second document follows"));
}

TEST(Urdf, OtherEncodingsThanUtf8AreNamed) {
  const std::string mark_first("\xFF\xFE<\0r\0", 6), little("<\0r\0", 4), big("\0<\0r", 4);
  for (const std::string& text : {mark_first, little, big})
    EXPECT_THAT(urdfError(text), HasSubstr("is in UTF-16 or UTF-32; save it as UTF-8"));
}

TEST(Urdf, RootElementMustBeARobot) {
  EXPECT_EQ(
      urdfError("<sdf>\n</sdf>"),
      "robot.urdf:1: is an SDF, which is only written (export), not read; give the robot's URDF "
      "or MJCF");
  EXPECT_EQ(urdfError("<robot name=\"r\"/>"),
            "robot.urdf:1: <robot> has no <link>; a URDF with links is expected");
}

TEST(Urdf, NamesMustBeThereAndUnique) {
  EXPECT_EQ(urdfError(urdf("<link/>")), "robot.urdf:2: <link> has no name; write name=\"...\"");
  EXPECT_EQ(urdfError(urdf("<link name=\" \"/>")),
            "robot.urdf:2: <link> has no name; write name=\"...\"");
  EXPECT_EQ(
      urdfError(urdf(link("a") + link("a"))),
      "robot.urdf:3: a second link named \"a\" (the first is in line 2); names must be unique");
  EXPECT_THAT(urdfError(urdf(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "b") +
                             joint("j", "fixed", "a", "c"))),
              StartsWith("robot.urdf:6: a second joint named \"j\""));
  EXPECT_THAT(urdfError(urdf("<link name=\"\xff\"/>")),
              HasSubstr("is not UTF-8; save the file as UTF-8"));
}

TEST(Urdf, JointsMustNameLinksOfTheFile) {
  EXPECT_EQ(urdfError(urdf(link("base") + link("arm") + joint("j", "fixed", "base", "arn"))),
            "robot.urdf:4: joint \"j\" names the child link \"arn\", which the file does not have; "
            "did you mean \"arm\"?");
  EXPECT_THAT(
      urdfError(urdf(link("a") + "<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>\n")),
      HasSubstr("robot.urdf:3: joint \"j\" has no <parent link=\"...\"/>"));
  EXPECT_THAT(
      urdfError(urdf(link("a") +
                     "<joint name=\"j\" type=\"fixed\"><parent/><child link=\"a\"/></joint>\n")),
      HasSubstr("robot.urdf:3: <parent> has no link"));
}

TEST(Urdf, OnlyTreesAreAccepted) {
  EXPECT_THAT(urdfError(urdf(link("a") + link("b") + link("c") + joint("j1", "fixed", "a", "c") +
                             joint("j2", "fixed", "b", "c"))),
              StartsWith("robot.urdf:6: link \"c\" has two parents, by joint \"j1\" and by joint "
                         "\"j2\"; a URDF is a tree"));
  EXPECT_THAT(
      urdfError(urdf(link("a") + link("b"))),
      StartsWith("robot.urdf:3: links \"a\" and \"b\" both have no parent; join the parts"));
  EXPECT_THAT(urdfError(urdf(link("r") + link("a") + link("b") + joint("j1", "fixed", "a", "b") +
                             joint("j2", "fixed", "b", "a"))),
              HasSubstr("closes a cycle at link"));
  EXPECT_THAT(urdfError(urdf(link("a") + joint("j", "fixed", "a", "a"))),
              HasSubstr("closes a cycle at link \"a\""));
}

TEST(Urdf, AxesMustHaveADirection) {
  EXPECT_EQ(urdfError(oneJoint("revolute", "\n<axis xyz=\"0 0 0\"/>")),
            "robot.urdf:5: joint \"j\" has a zero axis; give its direction, such as xyz=\"0 0 1\"");
  EXPECT_THAT(urdfError(oneJoint("revolute", "<axis xyz=\"0 nan 0\"/>")),
              HasSubstr("\"nan\" is not a finite number"));
  EXPECT_THAT(urdfError(oneJoint("revolute", "<axis xyz=\"0 0\"/>")),
              HasSubstr("has 2 numbers; three are expected"));
  EXPECT_NO_THROW(parseUrdf(oneJoint("revolute", "<axis xyz=\"0 0 1e-300\"/>"), "x"));
}

TEST(Urdf, NumbersMustBeWholeAndFinite) {
  for (const char* wrong : {"1.5abc", "1,5", "1e400", "inf", "nan", ""}) {
    const std::string message =
        urdfError(oneJoint("revolute", std::string("<limit effort=\"") + wrong + "\"/>"));
    EXPECT_EQ(message,
              std::string("robot.urdf:4: <limit> effort: \"") + wrong +
                  "\" is not a finite number; write it like 0.25 or 2.5e-1");
  }
}

TEST(Urdf, AnImpossibleInertiaIsNotUsedButKept) {
  const std::string good = "ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"";
  const auto read = [](const std::string& content) {
    return parseUrdf(urdf(link("a", content)), "x").links[0];
  };
  const auto expect_fault = [&](const std::string& content, InertialFault fault) {
    const TreeLink a = read(content);
    EXPECT_EQ(a.fault, fault) << content;
    EXPECT_FALSE(a.inertial.has_value()) << content;
    EXPECT_TRUE(a.rejected.has_value()) << content;
  };
  expect_fault(inertial("-1", good), InertialFault::kNegativeMass);
  expect_fault(inertial("0", good), InertialFault::kZeroMass);
  expect_fault(inertial("1", "ixx=\"-1\" iyy=\"1\" izz=\"1\""), InertialFault::kNegativeMoment);
  expect_fault(inertial("1", "ixx=\"1\" ixy=\"2\" iyy=\"1\" izz=\"1\""),
               InertialFault::kNegativeMoment);
  expect_fault("<inertial><inertia " + good + "/></inertial>", InertialFault::kMassMissing);
  expect_fault(inertial("nan", good), InertialFault::kNotFinite);
  expect_fault(inertial("1", "ixx=\"inf\" iyy=\"1\" izz=\"1\""), InertialFault::kNotFinite);
  EXPECT_EQ((*read(inertial("-1", good)).rejected)(0), -1.0);
}

TEST(Urdf, ARoundedZeroMomentIsZero) {
  const TreeLink a =
      parseUrdf(urdf(link("a", inertial("0.001", "ixx=\"-2e-35\" iyy=\"0\" izz=\"0\""))), "x")
          .links[0];
  EXPECT_EQ(a.fault, InertialFault::kNone);
  ASSERT_TRUE(a.inertial.has_value());
  EXPECT_EQ((*a.inertial)(0), 0.001);
}

TEST(Urdf, NumbersOfAnInertiaMustBeNumbers) {
  const std::string good = "ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"";
  EXPECT_THAT(urdfError(urdf(link("a", inertial("1 kg", good)))),
              HasSubstr("<mass> value: \"1 kg\" is not a finite number"));
  EXPECT_THAT(urdfError(urdf(link("a", inertial("1", "ixx=\"1\" iyy=\"1\"")))),
              HasSubstr("<inertia> has no izz"));
}

TEST(Urdf, ZeroMassAndInertiaMeanUnknown) {
  const TreeDocument document = parseUrdf(
      urdf(link("a", inertial("0", "ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\""))),
      "x");
  EXPECT_FALSE(document.links[0].inertial.has_value());
}

TEST(Urdf, ImpossibleButPositiveInertiasLoad) {
  EXPECT_NO_THROW(parseUrdf(urdf(link("a", inertial("1", "ixx=\"1\" iyy=\"1\" izz=\"5\""))), "x"));
}

TEST(Urdf, JointTypesMustBeKnown) {
  EXPECT_EQ(urdfError(oneJoint("revolut", "")),
            "robot.urdf:4: joint \"j\" has the unknown type \"revolut\"; did you mean "
            "\"revolute\"? (types: continuous, fixed, "
            "floating, prismatic, revolute)");
  for (const char* type : {"planar", "spherical", "ball"})
    EXPECT_EQ(urdfError(oneJoint(type, "")),
              std::string("robot.urdf:4: joint \"j\" is ") + type +
                  ", which is not supported; write it as revolute and prismatic joints with "
                  "massless links between them, or hold it at 0 in a description: ignore = "
                  "[\"j\"]");
  const std::string with_arm =
      urdf(link("base") + link("a") + link("b") + joint("j", "planar", "base", "a") +
           joint("k", "revolute", "a", "b"));
  EXPECT_EQ(parseRobot("ignore = [\"j\"]", with_arm).numJoints(), 1);
}

TEST(Urdf, LimitsThatMakeNoSenseAreNone) {
  const Robot robot = parseRobot(
      "",
      urdf(link("base") + link("a") + link("b") + link("c") +
           joint("j1", "revolute", "base", "a", "<limit lower=\"1\" upper=\"-1\"/>") +
           joint("j2", "revolute", "a", "b", "<limit velocity=\"-2\" effort=\"-1\"/>") +
           joint("j3",
                 "prismatic",
                 "b",
                 "c",
                 "<limit lower=\"-1e16\" upper=\"1e16\" velocity=\"1e16\" effort=\"1e16\"/>")));
  for (const Joint& joint : robot.joints) {
    EXPECT_EQ(joint.limits.lower, -kInfinity) << joint.name;
    EXPECT_EQ(joint.limits.upper, kInfinity) << joint.name;
    EXPECT_EQ(joint.limits.velocity, kInfinity) << joint.name;
    EXPECT_EQ(joint.limits.effort, kInfinity) << joint.name;
  }
  EXPECT_THAT(
      robot.warnings,
      ElementsAre(
          "a lower limit above the upper limit is no limit: joints j1",
          "a negative velocity limit is no limit: joints j2",
          "a negative effort limit is no limit: joints j2",
          "limits larger than those of any robot are taken as no limit: j3 lower, j3 upper, j3 "
          "velocity, j3 effort"));
}

TEST(Urdf, LimitsWithoutRoomAreSaid) {
  for (const char* limit :
       {"lower=\"0\" upper=\"0\"", "lower=\"0\"", "lower=\"0.25\" upper=\"0.25\""}) {
    const Robot robot = parseRobot("", oneJoint("revolute", std::string("<limit ") + limit + "/>"));
    EXPECT_EQ(robot.joints[0].limits.lower, robot.joints[0].limits.upper) << limit;
    EXPECT_THAT(robot.warnings, ElementsAre("position limits leave no room to move: joints j"));
  }
  EXPECT_THAT(parseRobot("[joint.j]\nlimits = { position = [-1, 1] }",
                         oneJoint("revolute", "<limit lower=\"0\" upper=\"0\"/>"))
                  .warnings,
              ::testing::IsEmpty());
  EXPECT_THAT(parseRobot("", oneJoint("revolute", "<limit effort=\"9\"/>")).warnings,
              ::testing::IsEmpty());
  EXPECT_THAT(parseRobot("", oneJoint("continuous", "<limit lower=\"0\" upper=\"0\"/>")).warnings,
              ::testing::IsEmpty());
}

TEST(Urdf, QuaternionsOfOrigins) {
  const auto rotation = [](const std::string& origin) {
    return parseUrdf(oneJoint("revolute", origin), "x.urdf").joints[0].X_PF;
  };
  const Transform X = rotation("<origin xyz=\"1 2 3\" quat_xyzw=\"0 0 0.6 0.8\"/>");
  EXPECT_EQ(X.p, Eigen::Vector3d(1, 2, 3));
  const double angle = 2.0 * std::atan2(0.6, 0.8);
  EXPECT_NEAR((X.R - rotationFromRpy({0, 0, angle})).norm(), 0.0, 1e-15);
  EXPECT_THAT(urdfError(oneJoint("revolute", "<origin quat_xyzw=\"0 0 1\"/>")),
              StartsWith("robot.urdf:4: quat_xyzw=\"0 0 1\": four numbers x y z w are expected"));
  EXPECT_THAT(urdfError(oneJoint("revolute", "<origin quat_xyzw=\"0 0 0 0\"/>")),
              HasSubstr("a quaternion of length 1 is expected"));
  EXPECT_THAT(urdfError(oneJoint("revolute", "<origin rpy=\"0 0 1\" quat_xyzw=\"0 0 0 1\"/>")),
              HasSubstr("both rpy and quat_xyzw"));
}

TEST(Urdf, RotationsAsIfInDegreesAreSaid) {
  const auto warnings = [](const std::string& rpy) {
    const std::string origin = "<origin rpy=\"" + rpy + "\"/>";
    return parseRobot("",
                      urdf(link("base") + link("a", "<inertial>" + origin + kBody + "</inertial>") +
                           joint("j", "revolute", "base", "a", origin)))
        .warnings;
  };
  for (const char* degrees : {"90 0 0", "0 -45 0", "0 0 22.5", "0 0 33.3"})
    EXPECT_THAT(warnings(degrees),
                ElementsAre("rotations in rad are as large as if in degrees: inertias of links a",
                            "rotations in rad are as large as if in degrees: joints j"))
        << degrees;
  for (const char* radians : {"1.5708 0 -3.14159", "0 0 6.2832", "0 -7.85398 9.42478", "5 0 0"})
    EXPECT_THAT(warnings(radians), ::testing::IsEmpty()) << radians;
}

TEST(Urdf, NegativeJointEffectsAreNotUsed) {
  const Robot robot =
      parseRobot("", oneJoint("revolute", "<dynamics damping=\"-0.8\" friction=\"-2\"/>"));
  EXPECT_EQ(robot.joints[0].damping, 0.0);
  EXPECT_EQ(robot.joints[0].friction, 0.0);
  EXPECT_THAT(robot.warnings,
              ElementsAre("a negative damping is not used: joints j",
                          "a negative friction is not used: joints j"));
}

TEST(Urdf, LimitsAsIfInDegreesAreSaid) {
  const auto warnings = [](const std::string& type, const std::string& limit) {
    return parseRobot("", oneJoint(type, "<limit " + limit + "/>")).warnings;
  };
  EXPECT_THAT(warnings("revolute", "lower=\"-170\" upper=\"170\" velocity=\"112.5\""),
              ElementsAre("position limits in rad are as large as if in degrees: joints j",
                          "velocity limits in rad/s are as large as if in degrees: joints j"));
  EXPECT_THAT(warnings("revolute", "lower=\"0\" upper=\"90\" velocity=\"2\""),
              ::testing::SizeIs(1));
  for (const char* plausible : {"lower=\"-3\" upper=\"3\" velocity=\"2\"",
                                "lower=\"-6.28\" upper=\"6.28\" velocity=\"30\"",
                                "lower=\"-62.83\" upper=\"62.83\" velocity=\"8\"",
                                "lower=\"-1000\" upper=\"1000\" velocity=\"1000\"",
                                "velocity=\"3\""})
    EXPECT_THAT(warnings("revolute", plausible), ::testing::IsEmpty()) << plausible;
  EXPECT_THAT(warnings("continuous", "velocity=\"180\""), ::testing::IsEmpty());
}

TEST(Urdf, LimitsAsIfInMillimetresAreSaid) {
  const auto warnings = [](const std::string& limit) {
    return parseRobot("", oneJoint("prismatic", "<limit " + limit + "/>")).warnings;
  };
  EXPECT_THAT(warnings("lower=\"0\" upper=\"600\" velocity=\"250\""),
              ElementsAre("position limits in m are as large as if in millimetres: joints j",
                          "velocity limits in m/s are as large as if in mm/s: joints j"));
  EXPECT_THAT(warnings("lower=\"-30\" upper=\"75\" velocity=\"1500\""), ::testing::SizeIs(1));
  for (const char* plausible : {"lower=\"0\" upper=\"2\" velocity=\"1.5\"",
                                "lower=\"0\" upper=\"80\" velocity=\"5\"",      // a bridge crane
                                "lower=\"-100\" upper=\"100\" velocity=\"1\"",  // a mobile base
                                "lower=\"-0.25\" upper=\"0.25\" velocity=\"100\"",  // placeholders
                                "lower=\"0\" upper=\"0.5\" velocity=\"1000\"",
                                "lower=\"-999999\" upper=\"999999\" velocity=\"4\""})
    EXPECT_THAT(warnings(plausible), ::testing::Not(::testing::Contains(HasSubstr("as if"))))
        << plausible;
}

TEST(Urdf, RepeatedPartsAreRefused) {
  EXPECT_THAT(urdfError(oneJoint("revolute", "<axis xyz=\"0 0 1\"/>\n<axis xyz=\"0 1 0\"/>")),
              StartsWith("robot.urdf:5: a second <axis> in this <joint>; keep one"));
}

TEST(Urdf, XacroIsToldToBeExpanded) {
  EXPECT_THAT(urdfError(urdf(link("a") + "<xacro:arm name=\"x\"/>")),
              StartsWith("robot.urdf:3: <xacro:arm> is a xacro macro; expand the file first: xacro "
                         "robot.xacro > robot.urdf"));
  EXPECT_THAT(urdfError(urdf("<link name=\"${prefix}a\"/>")),
              HasSubstr("is not a name; the file is a xacro source"));
  EXPECT_THAT(urdfError(oneJoint("revolute", "<origin xyz=\"${a} 0 0\"/>")),
              HasSubstr("expand it first"));
  const ScratchDirectory scratch;
  EXPECT_THAT(inputError([&] { loadRobot(scratch.write("arm.xacro", "<robot/>")); }),
              HasSubstr("is a xacro source; expand it first: xacro arm.xacro > robot.urdf"));
}

TEST(Urdf, DeepNestingIsRefusedNotFatal) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<x>";
  EXPECT_THAT(urdfError(urdf(deep)), HasSubstr("elements are nested more than 100 deep"));
}

}  // namespace
}  // namespace dynid
