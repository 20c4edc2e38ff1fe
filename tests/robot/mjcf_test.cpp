#include "dynid/robot/mjcf.h"

#include "dynid/core/text.h"
#include "dynid/robot/initial_description.h"

#include <gmock/gmock.h>

#include "test_texts.h"
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kDegree = std::numbers::pi / 180.0;

std::string model(const std::string& bodies, const std::string& sections = "") {
  return "<mujoco model=\"m\">\n" + sections + "<worldbody>\n" + bodies + "</worldbody></mujoco>\n";
}

std::string body(const std::string& name, const std::string& content) {
  return "<body name=\"" + name + "\">" + content + "</body>\n";
}

const std::string kInertial = "<inertial pos=\"0 0 0.1\" mass=\"2\" diaginertia=\"1 1 1\"/>";
const std::string kArm = body("a", kInertial + "<joint name=\"j\"/>");

std::string mjcfError(const std::string& text) {
  return inputError([&] { parseRobot("", text, {}, "robot.toml", "robot.xml"); });
}

TEST(Mjcf, IsRecognisedByItsRootElement) {
  EXPECT_EQ(rootElementName("<?xml version=\"1.0\"?>\n<!-- <robot> -->\n<mujoco/>"), "mujoco");
  EXPECT_EQ(rootElementName("<robot name=\"r\">"), "robot");
  EXPECT_EQ(rootElementName("no xml"), "");
  EXPECT_EQ(rootElementName("<!-- endless"), "");
  const Robot robot = parseRobot("", model(kArm));
  EXPECT_EQ(robot.name, "m");
  EXPECT_EQ(robot.root_link, "world");
  EXPECT_STREQ(robot.bodySource(), "mjcf");
  EXPECT_EQ(robot.urdf_text, "");
  EXPECT_EQ(robot.gravity, Eigen::Vector3d(0, 0, -9.81));
}

TEST(Mjcf, AnglesAreDegreesUnlessTheCompilerSaysRadian) {
  const std::string joint =
      "<joint name=\"j\" range=\"-90 45\" ref=\"10\" springref=\"20\" stiffness=\"3\"/>";
  const Robot degrees = parseRobot("", model(body("a", kInertial + joint)));
  EXPECT_DOUBLE_EQ(degrees.joints[0].limits.lower, -90 * kDegree);
  EXPECT_DOUBLE_EQ(degrees.joints[0].limits.upper, 45 * kDegree);
  EXPECT_DOUBLE_EQ(degrees.joints[0].spring_reference, 20 * kDegree);
  EXPECT_EQ(degrees.joints[0].stiffness, 3.0);
  EXPECT_EQ(degrees.drives[0].position_effects.size(), 1u);
  const Robot radians =
      parseRobot("",
                 model(body("a", kInertial + "<joint name=\"j\" range=\"-1 2\"/>"),
                       "<compiler angle=\"radian\"/>"));
  EXPECT_EQ(radians.joints[0].limits.lower, -1.0);
  const Robot slide = parseRobot(
      "", model(body("a", kInertial + "<joint name=\"j\" type=\"slide\" range=\"-1 2\"/>")));
  EXPECT_EQ(slide.joints[0].limits.upper, 2.0);
  EXPECT_TRUE(slide.joints[0].prismatic);
}

TEST(Mjcf, AnglesInTheOtherUnitAreSaid) {
  const auto warnings =
      [](const std::string& pose, const std::string& range, const std::string& compiler) {
        return parseRobot("",
                          model("<body name=\"a\" " + pose + ">" + kInertial +
                                    "<joint name=\"j\" range=\"" + range + "\"/></body>",
                                compiler))
            .warnings;
      };
  const std::string radian = "<compiler angle=\"radian\"/>";
  for (const char* degrees : {"euler=\"90 0 0\"", "axisangle=\"0 0 1 -90\""}) {
    EXPECT_THAT(warnings(degrees, "-1 1", radian),
                ElementsAre("rotations in rad are as large as if in degrees: bodies a"));
    EXPECT_THAT(warnings(degrees, "-1 1", ""), ::testing::IsEmpty());
  }
  EXPECT_THAT(warnings("euler=\"1.57 0 -3.14\"", "-1 1", radian), ::testing::IsEmpty());
  EXPECT_THAT(
      warnings("euler=\"1.57 0 0\"", "-1 6.28", ""),
      ElementsAre("ranges in degrees, which MJCF assumes without `angle` of <compiler>, are "
                  "as small as if in radians: joints j"));
  EXPECT_THAT(warnings("", "-10 10", ""), ::testing::IsEmpty());
  EXPECT_THAT(warnings("", "-1 1", "<compiler angle=\"degree\"/>"), ::testing::IsEmpty());
}

TEST(Mjcf, ARangeIsALimitUnlessTheModelSaysOtherwise) {
  const auto upper = [](const std::string& joint, const std::string& compiler) {
    return parseRobot(
               "",
               model(body("a", kInertial + "<joint name=\"j\" range=\"-1 1\" " + joint + "/>"),
                     "<compiler angle=\"radian\" " + compiler + "/>"))
        .joints[0]
        .limits.upper;
  };
  EXPECT_EQ(upper("", ""), 1.0);
  EXPECT_EQ(upper("limited=\"true\"", "autolimits=\"false\""), 1.0);
  EXPECT_EQ(upper("limited=\"false\"", ""), kInfinity);
  EXPECT_EQ(upper("", "autolimits=\"false\""), kInfinity);
  EXPECT_EQ(upper("limited=\"auto\"", "autolimits=\"true\""), 1.0);
}

TEST(Mjcf, DefaultClassesNestAndChildclassReachesDown) {
  const Robot robot = parseRobot(
      "",
      model(
          "<body name=\"a\" childclass=\"arm\">" + kInertial + "<joint name=\"j1\"/>" +
              body("b",
                   kInertial + "<joint name=\"j2\" class=\"wrist\"/>" +
                       body("c", kInertial + "<joint name=\"j3\" damping=\"9\"/>")) +
              "</body>" + body("d", kInertial + "<joint name=\"j4\"/>"),
          "<default><joint damping=\"1\" armature=\"0.1\"/>"
          "<default class=\"arm\"><joint damping=\"2\"/>"
          "<default class=\"wrist\"><joint frictionloss=\"0.5\"/></default></default></default>"));
  ASSERT_EQ(robot.numJoints(), 4);
  EXPECT_EQ(robot.joints[0].damping, 2.0);
  EXPECT_EQ(robot.joints[1].damping, 2.0);
  EXPECT_EQ(robot.joints[1].friction, 0.5);
  EXPECT_EQ(robot.joints[2].damping, 9.0);
  EXPECT_EQ(robot.joints[2].friction, 0.0);
  EXPECT_EQ(robot.joints[3].damping, 1.0);
  for (const Joint& joint : robot.joints) EXPECT_EQ(joint.drive_inertia, 0.1);
}

TEST(Mjcf, SeveralJointsOfABodyHaveMasslessLinksBetween) {
  const Robot robot = parseRobot(
      "",
      model(body("hip",
                 kInertial + "<joint name=\"x\" axis=\"1 0 0\"/><joint name=\"y\" axis=\"0 1 0\"/>"
                             "<joint name=\"s\" type=\"slide\" axis=\"0 0 1\"/>")));
  EXPECT_THAT(robot.jointNames(), ElementsAre("x", "y", "s"));
  ASSERT_EQ(robot.numBodies(), 3);
  EXPECT_EQ(robot.bodies[0].name, "hip:x");
  EXPECT_EQ(robot.bodies[1].name, "hip:y");
  EXPECT_EQ(robot.bodies[2].name, "hip");
  EXPECT_TRUE(robot.bodies[0].prior->isZero(0.0));
  EXPECT_EQ((*robot.bodies[2].prior)(0), 2.0);
}

TEST(Mjcf, AJointBesideTheBodysOriginMovesTheBodysFrame) {
  const Robot robot = parseRobot(
      "", model(body("a", kInertial + "<joint name=\"j\" axis=\"0 1 0\" pos=\"0.3 0.2 0\"/>")));
  EXPECT_EQ(robot.bodies[0].X_PJ.p, Eigen::Vector3d(0.3, 0.2, 0));
  const auto [k, X_BL] = robot.findLink("a");
  EXPECT_EQ(X_BL.p, Eigen::Vector3d(-0.3, -0.2, 0));
  EXPECT_LT((*robot.bodies[0].prior - transformed(X_BL, *robot.bodies[0].links[0].inertial)).norm(),
            1e-15);
}

TEST(Mjcf, AFreeJointMakesTheBaseFloat) {
  for (const char* joint : {"<freejoint/>", "<joint type=\"free\" name=\"root\"/>"}) {
    const Robot robot = parseRobot("", model(body("trunk", joint + kInertial + kArm)));
    EXPECT_TRUE(robot.floating_base);
    EXPECT_EQ(robot.root_link, "trunk");
    EXPECT_EQ(robot.numJoints(), 1);
    EXPECT_EQ((*robot.root_prior)(0), 2.0);
    EXPECT_FALSE(parseRobot("base = \"fixed\"", model(body("trunk", joint + kInertial + kArm)))
                     .floating_base);
  }
}

TEST(Mjcf, ObjectsOfASceneAreLeftOut) {
  const std::string box = body("box", "<freejoint/>" + kInertial);
  const Robot robot = parseRobot("", model(box + kArm));
  EXPECT_FALSE(robot.floating_base);
  EXPECT_EQ(robot.numBodies(), 1);
  EXPECT_THAT(robot.warnings, ElementsAre("not part of the robot, left out: bodies box"));
}

/// A body with a chain of jointed bodies below it.
std::string chain(const std::string& name, int joints, const std::string& content) {
  std::string inner;
  for (int i = joints; i > 0; --i)
    inner = body(name + std::to_string(i),
                 kInertial + fmt::format("<joint name=\"{}_j{}\"/>", name, i) + inner);
  return body(name, content + kInertial + inner);
}

TEST(Mjcf, ATreeWithFewJointsBesideAFloatingRobotIsNotTheRobot) {
  const std::string unused = body("unused", kInertial + "<joint name=\"unused_joint\"/>");
  const std::string sections =
      "<equality><joint joint1=\"unused_joint\"/></equality>"
      "<tendon><fixed name=\"t\" stiffness=\"1\"><joint joint=\"unused_joint\" coef=\"1\"/></fixed>"
      "</tendon><actuator><motor joint=\"unused_joint\"/>"
      "<motor joint=\"dog_j1\" ctrlrange=\"-7 7\"/></actuator>";
  for (const std::string& bodies :
       {chain("dog", 3, "<freejoint/>") + unused, unused + chain("dog", 3, "<freejoint/>")}) {
    const Robot robot = parseRobot("", model(bodies, sections));
    EXPECT_TRUE(robot.floating_base);
    EXPECT_EQ(robot.numBodies(), 3);
    EXPECT_EQ(robot.joints[0].limits.effort, 7.0);
    EXPECT_THAT(robot.warnings, ElementsAre("not part of the robot, left out: bodies unused"));
  }
  const Robot arm = parseRobot("", model(chain("arm", 3, "") + chain("box", 1, "<freejoint/>")));
  EXPECT_FALSE(arm.floating_base);
  EXPECT_EQ(arm.numBodies(), 3);
  EXPECT_THAT(arm.warnings, ElementsAre("not part of the robot, left out: bodies box"));
}

TEST(Mjcf, TwoRobotsOfWhichOneFloatsAreRefused) {
  EXPECT_THAT(
      mjcfError(model(chain("dog", 4, "<freejoint/>") + chain("arm", 2, ""))),
      HasSubstr("two robots, of which one floats: bodies \"dog\" (line 3, joints: 4, floats) "
                "and \"arm\" (line 8, joints: 2, fixed); remove one of them from the file"));
  EXPECT_THAT(mjcfError(model(chain("a", 2, "<freejoint/>") + chain("b", 2, "<freejoint/>"))),
              HasSubstr("two robots"));
}

TEST(Mjcf, ACouplingOfTheRobotWithWhatIsLeftOutIsRefused) {
  const std::string bodies = chain("dog", 3, "<freejoint/>") + chain("door", 1, "");
  EXPECT_THAT(mjcfError(model(bodies,
                              "<equality><joint joint1=\"dog_j1\" joint2=\"door_j1\"/>"
                              "</equality>")),
              HasSubstr("the robot has no hinge or slide joint \"door_j1\""));
  EXPECT_THAT(
      mjcfError(model(bodies, "<equality><weld body1=\"dog3\" body2=\"door1\"/></equality>")),
      HasSubstr("the robot has no body \"door1\""));
}

// MuJoCo scales all bodies of the file.
TEST(Mjcf, TheTotalMassIsThatOfTheRobotAndTheObjects) {
  const std::string compiler = "<compiler settotalmass=\"10\"/>";
  const std::string inner =
      body("lid", "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>");
  const std::string box = body("box", "<freejoint/>" + kInertial + inner);
  const Robot robot = parseRobot("", model(box + kArm, compiler));
  EXPECT_NEAR((*robot.bodies[0].prior)(0), 4.0, 1e-12) << "2 of 5 kg";
  const std::string mesh = body("box", "<freejoint/><geom type=\"mesh\" mesh=\"m\"/>");
  const Robot unscaled = parseRobot("", model(mesh + kArm, compiler));
  EXPECT_NEAR((*unscaled.bodies[0].prior)(0), 2.0, 1e-12);
  EXPECT_THAT(unscaled.warnings, ::testing::Contains(HasSubstr("settotalmass")));
}

TEST(Mjcf, EffortLimitsComeFromASingleActuator) {
  const auto effort = [](const std::string& actuators, const std::string& joint = "") {
    return parseRobot("",
                      model(body("a", kInertial + "<joint name=\"j\" " + joint + "/>"),
                            "<actuator>" + actuators + "</actuator>"))
        .joints[0]
        .limits.effort;
  };
  EXPECT_EQ(effort("<motor joint=\"j\" gear=\"-50\" ctrlrange=\"-2 2\"/>"), 100.0);
  EXPECT_EQ(effort("<position joint=\"j\" kp=\"9\" ctrlrange=\"-3 3\" forcerange=\"-7 7\"/>"), 7.0);
  EXPECT_EQ(effort("<position joint=\"j\" kp=\"9\" ctrlrange=\"-3 3\"/>"), kInfinity);
  EXPECT_EQ(effort("<motor joint=\"j\" gear=\"20\" ctrlrange=\"-1 1\" forcerange=\"-100 100\"/>"),
            20.0);
  EXPECT_EQ(effort("<motor joint=\"j\" gear=\"20\" ctrlrange=\"-9 9\" forcerange=\"-4 4\"/>"),
            80.0);
  EXPECT_EQ(effort("<general joint=\"j\" gainprm=\"4\" ctrlrange=\"-3 3\"/>"), 12.0);
  EXPECT_EQ(effort("<general joint=\"j\" gainprm=\"4\" biastype=\"affine\" ctrlrange=\"-3 3\"/>"),
            kInfinity);
  EXPECT_EQ(
      effort("<motor joint=\"j\" ctrlrange=\"-2 2\"/><motor joint=\"j\" ctrlrange=\"-1 1\"/>"),
      kInfinity);
  EXPECT_EQ(effort("<motor joint=\"j\" ctrlrange=\"-9 9\"/>", "actuatorfrcrange=\"-5 5\""), 5.0);
}

TEST(Mjcf, NegativeJointEffectsAreNotUsed) {
  const Robot robot =
      parseRobot("",
                 model(body("a",
                            kInertial + "<joint name=\"j\" damping=\"-1\" frictionloss=\"-2\" "
                                        "armature=\"-3\" stiffness=\"-4\"/>")));
  EXPECT_EQ(robot.joints[0].damping, 0.0);
  EXPECT_EQ(robot.joints[0].friction, 0.0);
  EXPECT_EQ(robot.joints[0].drive_inertia, 0.0);
  EXPECT_EQ(robot.joints[0].stiffness, -4.0);
  EXPECT_THAT(robot.warnings,
              ElementsAre("a negative damping is not used: joints j",
                          "a negative frictionloss is not used: joints j",
                          "a negative armature is not used: joints j",
                          "a negative stiffness pushes away from springref: joints j"));
}

TEST(Mjcf, AGravityOfAnotherUnitIsRefused) {
  EXPECT_EQ(mjcfError(model(kArm, "<option gravity=\"0 0 -981\"/>")),
            "robot.xml:2: <option> gravity: 981 m/s^2 is more than on any planet; on Earth it is "
            "[0, 0, -9.81] if z of the root link points up; lengths in m and masses in kg are "
            "expected");
}

TEST(Mjcf, ALinearEqualityIsAMimicJoint) {
  const std::string two = body("a", kInertial + "<joint name=\"j\" type=\"slide\" ref=\"0.1\"/>") +
                          body("b", kInertial + "<joint name=\"k\" type=\"slide\" ref=\"0.2\"/>");
  const auto equality = [&](const std::string& text) {
    return model(two, "<equality>" + text + "</equality>");
  };
  const Robot robot =
      parseRobot("", equality("<joint joint1=\"k\" joint2=\"j\" polycoef=\"0.5 2\"/>"));
  ASSERT_EQ(robot.numJoints(), 1);
  EXPECT_EQ(robot.bodies[1].multiplier, 2.0);
  EXPECT_DOUBLE_EQ(robot.bodies[1].offset, 0.2 + 0.5 - 2 * 0.1);
  EXPECT_EQ(parseRobot("", equality("<joint joint1=\"k\" polycoef=\"0.5\"/>")).numBodies(), 1);
  EXPECT_EQ(
      parseRobot("", equality("<joint joint1=\"k\" joint2=\"j\" active=\"false\"/>")).numJoints(),
      2);
  EXPECT_THAT(mjcfError(equality("\n<joint joint1=\"k\" joint2=\"j\" polycoef=\"0 1 2\"/>")),
              StartsWith("robot.xml:3: <joint> polycoef couples \"k\" and \"j\" by a curve"));
  EXPECT_THAT(
      mjcfError(equality("<joint joint1=\"kk\" joint2=\"j\"/>")),
      HasSubstr("<joint> joint1: the robot has no hinge or slide joint \"kk\"; did you mean"));
}

// A parallelogram closed by a connect constraint: the crank is driven because it has the actuator.
TEST(Mjcf, AConnectClosesALoop) {
  const std::string hinge = " axis=\"0 1 0\"/>";
  const std::string text =
      model("<body name=\"rod\" pos=\"1 0 0\">" + kInertial + "<joint name=\"rod_joint\"" + hinge +
                "</body><body name=\"crank\">" + kInertial + "<joint name=\"crank_joint\"" + hinge +
                "<body name=\"coupler\" pos=\"0 0 0.5\">" + kInertial +
                "<joint name=\"coupler_joint\"" + hinge + "</body></body>",
            "<equality><connect body1=\"coupler\" body2=\"rod\" anchor=\"1 0 0\"/></equality>"
            "<actuator><motor joint=\"crank_joint\"/></actuator>");
  const Robot robot = parseRobot("", text);
  EXPECT_THAT(robot.jointNames(), ElementsAre("crank_joint"));
  ASSERT_EQ(robot.loops.size(), 1u);
  EXPECT_EQ(robot.loops[0].type, Loop::Type::kSpherical);
  EXPECT_LT(robot.assembly.norm(), 1e-12);
  EXPECT_THAT(mjcfError(text.substr(0, text.find(" anchor")) + "/></equality>" +
                        text.substr(text.find("<worldbody>"))),
              HasSubstr("<connect> has no anchor"));
}

// Found by fuzzing: the anchor is on the only axis, so the loop determines no joint.
TEST(Mjcf, ALoopThatConstrainsNothingIsRefusedOrHarmless) {
  const Robot robot =
      parseRobot("", model(kArm, "<equality><connect body1=\"a\" anchor=\"0 0 0.5\"/></equality>"));
  EXPECT_EQ(robot.numJoints(), 1);
  EXPECT_TRUE(robot.passive_joints.empty());
  EXPECT_THAT(
      mjcfError(model(kArm, "<equality><connect body2=\"a\" anchor=\"0 0 0\"/></equality>")),
      HasSubstr("<connect> has no body1"));
}

TEST(Mjcf, LoopsThatHoldEveryJointAreRefused) {
  const std::string slide = body("a", kInertial + "<joint name=\"j\" type=\"slide\"/>");
  EXPECT_THAT(
      mjcfError(model(slide, "\n<equality><connect body1=\"a\" anchor=\"0 0 0.5\"/></equality>")),
      StartsWith("robot.xml:3: [[loop]]: the loops hold every joint in place (\"j\")"));
}

// A body that the user of a simulation drags, to which the hand is welded softly.
TEST(Mjcf, ConstraintsWithAMocapBodyAreLeftOut) {
  const std::string arm = body("a", kInertial + "<joint name=\"j\"/>");
  for (const std::string& ends :
       std::vector<std::string>{"body1=\"target\" body2=\"a\"", "body1=\"a\" body2=\"target\""}) {
    const Robot robot =
        parseRobot("",
                   model(arm + "<body name=\"target\" mocap=\"true\" pos=\"1 0 0\"/>",
                         "<equality><weld name=\"lead\" " + ends + "/><connect " + ends +
                             " anchor=\"0 0 0\"/></equality>"));
    EXPECT_EQ(robot.numJoints(), 1);
    EXPECT_TRUE(robot.loops.empty());
    EXPECT_THAT(robot.warnings,
                ElementsAre("left out, since they lead the robot by a mocap body: constraints "
                            "lead, <connect>"));
  }
}

TEST(Mjcf, MeshesLeaveTheInertiaUnknown) {
  const Robot robot =
      parseRobot("",
                 model(body("a", "<joint name=\"j\"/><geom type=\"mesh\" mesh=\"m\"/>") +
                       body("b",
                            "<joint name=\"k\"/><geom size=\"0.1\"/><geom type=\"mesh\" mesh=\"m\" "
                            "mass=\"0\"/>")));
  EXPECT_FALSE(robot.bodies[0].prior.has_value());
  EXPECT_NEAR((*robot.bodies[1].prior)(0), 4.0 / 3.0 * std::numbers::pi, 1e-12);
  EXPECT_THAT(
      robot.warnings,
      ElementsAre("the inertia is to be computed from meshes, which are not read; it is unknown: "
                  "links a"));
}

TEST(Mjcf, WhatCannotBeRepresentedIsRefusedByName) {
  EXPECT_EQ(mjcfError(model("\n<body name=\"a\"><joint name=\"s\" type=\"ball\"/></body>")),
            "robot.xml:4: joint \"s\" is a ball joint, which is not supported; write it as three "
            "hinge joints in this body");
  EXPECT_EQ(mjcfError(model(kArm,
                            "<tendon><fixed name=\"t\" stiffness=\"3\"><joint joint=\"j\" "
                            "coef=\"1\"/></fixed></tendon>")),
            "robot.xml:2: tendon \"t\" has stiffness, a force between joints that is not "
            "supported; remove it, or the tendon");
  EXPECT_THAT(mjcfError(model(body("a", "<composite type=\"rope\"/>"))),
              HasSubstr("<composite> is not supported"));
  EXPECT_EQ(mjcfError(model(body("a", "<joit name=\"j\"/>"))),
            "robot.xml:3: <joit> is not an element of a body; did you mean \"joint\"?");
  EXPECT_THAT(mjcfError(model(kArm, "<actuators/>")),
              HasSubstr("<actuators> is not an element of <mujoco>; did you mean \"actuator\"?"));
  EXPECT_EQ(mjcfError(model(body("a", kInertial + "<joint name=\"j\" dampng=\"1\"/>"))),
            "robot.xml:3: <joint> has the unknown attribute dampng; did you mean \"damping\"?");
  EXPECT_THAT(mjcfError(model(kArm, "<compiler coordinate=\"global\"/>")),
              HasSubstr("coordinate=\"global\" is not supported"));
  EXPECT_THAT(mjcfError(model(body("a", "<joint name=\"j\" class=\"arn\"/>"),
                              "<default><default class=\"arm\"/></default>")),
              HasSubstr("names the default class \"arn\", which the model does not have; did you "
                        "mean \"arm\"?"));
  EXPECT_THAT(mjcfError(model(kArm + kArm)),
              HasSubstr("a second body named \"a\" (the first is in line 3)"));
  EXPECT_THAT(mjcfError(model(body("a", "<inertial pos=\"0 0 0\" mass=\"1 kg\"/>"))),
              HasSubstr("\"kg\" is not a finite number"));
  EXPECT_THAT(mjcfError(model("<body name=\"a\" quat=\"0 0 0 0\"/>")), HasSubstr("quat is zero"));
  EXPECT_THAT(mjcfError(model("<body name=\"a\" euler=\"0 0 1\" zaxis=\"0 0 1\"/>")),
              HasSubstr("has more than one of quat, axisangle, euler, xyaxes and zaxis"));
}

TEST(Mjcf, HostileTextsAreRefusedInBoundedTime) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<body>";
  EXPECT_THAT(mjcfError(model(deep)), HasSubstr("nested more than 100 deep"));
  std::string laughs = "<!DOCTYPE m [<!ENTITY a \"ha\">";
  for (char c = 'b'; c < 'p'; ++c) {
    laughs += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) laughs += std::string("&") + static_cast<char>(c - 1) + ";";
    laughs += "\">";
  }
  laughs += "]>";
  EXPECT_THAT(mjcfError(laughs + "<mujoco model=\"&o;\"><worldbody/></mujoco>"),
              ::testing::Not(HasSubstr("(no InputError")));
  EXPECT_THAT(mjcfError(model(body("a", "<joint range=\"1e999 2\"/>"))), HasSubstr("not a finite"));
  EXPECT_THAT(mjcfError("<mujoco><worldbody><body>"), StartsWith("robot.xml:1: not well-formed"));
  EXPECT_THAT(mjcfError(model(kArm).substr(0, 60)), HasSubstr("not well-formed"));
  std::string many;
  for (int i = 0; i < 101000; ++i) many += "<light/>";
  EXPECT_THAT(mjcfError(model(many)), HasSubstr("more than 100000 elements"));
  EXPECT_NEAR(parseRobot("", model(body("a", "<joint axis=\"1e308 1e308 1e308\"/>" + kInertial)))
                  .bodies[0]
                  .axis.norm(),
              1.0,
              1e-15);
  EXPECT_THAT(mjcfError(model("<body name=\"a\"/>")), HasSubstr("no joint moves"));
}

TEST(Mjcf, IncludesAreReadFromTheFolderOnce) {
  const ScratchDirectory folder;
  folder.write("arm.xml", model(kArm, "<include file=\"options.xml\"/>"));
  folder.write("options.xml", "<mujocoinclude><option gravity=\"0 0 -1\"/></mujocoinclude>");
  const std::filesystem::path scene =
      folder.write("scene.xml", "<mujoco model=\"scene\">\n<include file=\"arm.xml\"/></mujoco>");
  const Robot robot = loadRobot(scene);
  EXPECT_EQ(robot.gravity.z(), -1.0);
  EXPECT_EQ(robot.numJoints(), 1);
  const Robot again = parseRobot("", robot.mjcf_text);  // as from a model file
  EXPECT_EQ(again.sha256, robot.sha256);
  EXPECT_EQ(again.jointNames(), robot.jointNames());

  const auto error = [&](const std::string& file) {
    folder.write("bad.xml", "<mujoco>\n<include file=\"" + file + "\"/></mujoco>");
    return inputError([&] { loadRobot(scene.parent_path() / "bad.xml"); });
  };
  EXPECT_THAT(error("bad.xml"),
              HasSubstr("bad.xml:2: includes \"bad.xml\", which includes this file"));
  folder.write("ring.xml", "<mujoco><include file=\"./bad.xml\"/></mujoco>");
  EXPECT_THAT(error("ring.xml"), HasSubstr("which includes this file"));
  EXPECT_THAT(error("/etc/passwd"), HasSubstr("is absolute; give it relative to bad.xml"));
  EXPECT_THAT(error("../../../etc/passwd"), HasSubstr("leads more than two folders up"));
  EXPECT_THAT(error("none.xml"), HasSubstr("there is no such file beside bad.xml"));
  folder.write("text.xml", "root:x:0:0\n");
  EXPECT_THAT(error("text.xml"), HasSubstr("text.xml:"));
}

TEST(Mjcf, ADescriptionNamesItByTheKeyMjcf) {
  const ScratchDirectory folder;
  folder.write("arm.xml", model(kArm));
  const std::filesystem::path toml =
      folder.write("arm.toml", "mjcf = \"arm.xml\"\n[joint.j]\ngear_ratio = 50.0\n");
  const Robot robot = loadRobot(toml);
  EXPECT_EQ(robot.drives[0].gear_ratio, 50.0);
  EXPECT_EQ(robot.gravity.z(), -9.81);
  folder.write("both.toml", "urdf = \"a.urdf\"\nmjcf = \"arm.xml\"\n");
  EXPECT_THAT(inputError([&] { loadRobot(toml.parent_path() / "both.toml"); }),
              HasSubstr("both.toml:2: mjcf: urdf and mjcf are both given; keep one"));
  EXPECT_THAT(initialDescription(toml.parent_path() / "arm.xml"),
              AllOf(HasSubstr("\nmjcf = \"arm.xml\"\n"), HasSubstr("# gravity = [0, 0, -9.81]")));
}

TEST(LoadRobot, OtherFilesAreCalledWhatTheyAre) {
  const ScratchDirectory folder;
  EXPECT_THAT(inputError([&] { loadRobot(folder.write("model.json", "{\"format\": 1}")); }),
              HasSubstr("is a JSON file, such as an identified model (`model`); a robot "
                        "description is expected here"));
  EXPECT_THAT(inputError([&] { loadRobot(folder.write("log.h5", "\x89HDF\r\n")); }),
              HasSubstr("is an HDF5 file, such as a log or a trajectory"));
  EXPECT_THAT(inputError([&] { loadRobot(folder.write("log.csv", "t,q\n")); }),
              HasSubstr("is a CSV file, which dynid import turns into a log"));
}

}  // namespace
}  // namespace dynid
