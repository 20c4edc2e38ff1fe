#include "dynid/model/exports.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/model/export_check.h"
#include "dynid/model/json.h"
#include "dynid/model/model_efforts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/exported_models.h"

namespace dynid {
namespace {

using dynid::testing::armModel;
using dynid::testing::describedModel;
using dynid::testing::withOperatingPoints;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Exports, FrictionThatAUrdfHoldsIsKeptToTheLastBit) {
  const Model model = armModel();
  const SimpleJoints joints = fitSimpleJoints(withOperatingPoints(model));
  for (int j = 0; j < model.robot->numJoints(); ++j) {
    const std::string name = model.robot->joints[j].name;
    EXPECT_EQ(joints.damping(j), model.parameters(model.layout.find(name + ".viscous")));
    EXPECT_EQ(joints.friction(j), model.parameters(model.layout.find(name + ".coulomb")));
    EXPECT_EQ(joints.armature(j), model.parameters(model.layout.find(name + ".drive_inertia")));
    EXPECT_FALSE(joints.refitted[j]);
  }
}

TEST(Exports, OtherFrictionIsFittedOverTheOperatingPoints) {
  Model model = armModel();
  Column stribeck = frictionColumn(*model.robot, 1, FrictionEffect::kStribeck, 0.2);
  dynid::testing::appendEffect(model, stribeck, 0.4);
  model = withOperatingPoints(model);
  const SimpleJoints joints = fitSimpleJoints(model);
  ASSERT_TRUE(joints.refitted[1]);
  EXPECT_FALSE(joints.refitted[0]);
  // No other values of damping and friction fit better (the offset is free).
  const OperatingPoints& points = model.operating_points;
  const Eigen::VectorXd friction =
      effortsByCause(model, points.q, points.dq, points.ddq).friction.col(1);
  const auto error = [&](double damping, double coulomb) {
    std::vector<double> rest;
    for (Eigen::Index i = 0; i < friction.size(); ++i) {
      const double v = points.dq(i, 1);
      if (std::abs(v) <= model.signals.still_speed) continue;
      rest.push_back(friction(i) - damping * v - coulomb * (v > 0.0 ? 1.0 : -1.0));
    }
    const Eigen::Map<const Eigen::VectorXd> r(rest.data(), std::ssize(rest));
    return (r.array() - r.mean()).matrix().squaredNorm();
  };
  const double best = error(joints.damping(1), joints.friction(1));
  for (const double change : {-0.05, 0.05}) {
    EXPECT_LT(best, error(joints.damping(1) + change, joints.friction(1)));
    EXPECT_LT(best, error(joints.damping(1), joints.friction(1) + change));
  }
}

// A slide that never reaches the speed below which revolute joints stand still.
TEST(Exports, DryFrictionOfSlowJointsIsFitted) {
  Model model = armModel();
  const int n = model.robot->numJoints();
  dynid::testing::appendEffect(
      model, frictionColumn(*model.robot, 1, FrictionEffect::kStribeck, 0.001), 0.1);
  model.signals.ramp_speed = Eigen::VectorXd::Constant(n, model.signals.still_speed);
  model.signals.ramp_speed(1) = 1e-4;
  model = withOperatingPoints(model);
  model.operating_points.dq.col(1) *=
      0.5 * model.signals.still_speed / model.operating_points.dq.col(1).cwiseAbs().maxCoeff();
  const SimpleJoints joints = fitSimpleJoints(model);
  EXPECT_TRUE(joints.refitted[1]);
  const double coulomb = model.parameters(model.layout.find("joint_2.coulomb"));
  EXPECT_NEAR(joints.friction(1), coulomb, 0.1);
}

TEST(Exports, SmoothedAndPreslidingFrictionIsKeptWithoutMotion) {
  Model model = armModel();
  Column smoothed = frictionColumn(*model.robot, 0, FrictionEffect::kCoulomb);
  smoothed.name += "_smoothed";
  smoothed.smoothing = 0.01;
  dynid::testing::appendEffect(model, smoothed, 0.5);
  dynid::testing::appendEffect(
      model, frictionColumn(*model.robot, 1, FrictionEffect::kPresliding, 0.01), 0.25);
  Model at_rest = withOperatingPoints(model);
  at_rest.operating_points.dq.setZero();
  for (const Model& without_motion : {model, at_rest}) {
    const SimpleJoints joints = fitSimpleJoints(without_motion);
    EXPECT_EQ(joints.friction(0), model.parameters(model.layout.find("joint_1.coulomb")) + 0.5);
    EXPECT_EQ(joints.friction(1), model.parameters(model.layout.find("joint_2.coulomb")) + 0.25);
    EXPECT_FALSE(joints.refitted[0]);
  }
}

// Efforts of a wrist are too small to be seen in the error of all joints.
TEST(Exports, AJointThatLosesMuchIsNamed) {
  Model model = armModel();
  dynid::testing::appendEffect(
      model, frictionColumn(*model.robot, 5, FrictionEffect::kRipple, 3.0), 5.0);
  const ExportedModel mjcf = exportMjcf(withOperatingPoints(model, 0.01));
  EXPECT_THAT(mjcf.dropped, Contains(HasSubstr("; of joint_6 alone: model ")));
  EXPECT_THAT(exportMjcf(withOperatingPoints(armModel(), 0.01)).dropped,
              Not(Contains(HasSubstr(" alone: "))));
  ExportCost of_all_joints;
  of_all_joints.points = 300;
  EXPECT_THAT(costSentences(model, of_all_joints, "C"), Not(Contains(HasSubstr(" alone: "))));
}

TEST(Exports, TheCostOfLostDriveInertiaIsTheErrorWithoutIt) {
  const Model model = withOperatingPoints(armModel(), 0.01);
  const ExportedModel urdf = exportUrdf(model);
  const OperatingPoints& points = model.operating_points;
  const EffortsByCause parts = effortsByCause(model, points.q, points.dq, points.ddq);
  const double norm = points.measured.norm();
  const double without = (points.measured - points.predicted + parts.drive).norm() / norm;
  ASSERT_EQ(urdf.cost.losses.size(), 2U);  // drive inertia, offsets
  EXPECT_THAT(urdf.cost.losses[0].what, HasSubstr("joint_1.drive_inertia"));
  EXPECT_NEAR(urdf.cost.losses[0].error, without, 1e-12);
  EXPECT_NEAR(urdf.cost.model_error, 0.01, 0.005);
  EXPECT_GT(urdf.cost.file_error, 2.0 * urdf.cost.model_error);
  EXPECT_THAT(urdf.dropped, Contains(HasSubstr("a URDF cannot represent joint_1.drive_inertia")));
  EXPECT_THAT(urdf.dropped, Contains(HasSubstr("(without it the torque error is ")));
  EXPECT_THAT(urdf.dropped,
              Contains(HasSubstr("torque error on the training logs (300 samples): model ")));
}

TEST(Exports, DriveInertiaIsHandedOverWhereItIsAskedFor) {
  const Model model = withOperatingPoints(armModel(), 0.01);
  const ExportedModel sdf = exportSdf(model, DriveInertia::kRotorInertia);
  EXPECT_THAT(sdf.text, HasSubstr("xmlns:drake=\"http://drake.mit.edu\""));
  EXPECT_THAT(sdf.text,
              HasSubstr("<drake:rotor_inertia>0.29999999999999999</drake:rotor_inertia>"));
  EXPECT_THAT(
      sdf.dropped,
      Contains(HasSubstr("written as drake:rotor_inertia: Drake reads it, Gazebo does not")));
  EXPECT_THAT(exportSdf(model).text, ::testing::Not(HasSubstr("drake")));
  const ExportedModel urdf = exportUrdf(model, DriveInertia::kRotorInertia);
  EXPECT_EQ(urdf.text, exportUrdf(model).text);
  EXPECT_THAT(urdf.dropped,
              Contains(HasSubstr("the URDF has no <transmission> with an <actuator> to take the "
                                 "drive inertia of joint_1, ")));
}

// A held joint stays a joint of the file, with a mass on both sides of it.
TEST(Exports, AreReadBackWithHeldJoints) {
  const std::string urdf = readTextFile(std::string(DYNID_DATASETS_DIR) + "/quickstart/arm.urdf");
  const auto model_of = [](const std::string& held, const std::string& text) {
    return describedModel(std::make_shared<Robot>(parseRobot("ignore = [\"" + held + "\"]", text)));
  };
  EXPECT_LT(exportUrdf(model_of("joint_6", urdf)).max_relative_disagreement, 1e-9);
  const auto mjcf = [](const std::string& last) {
    const std::string inertial =
        "<inertial pos=\"0 0 0.1\" mass=\"2\" diaginertia=\"0.1 0.1 0.1\"/>";
    return "<mujoco><worldbody><body name=\"a\">" + inertial +
           "<joint name=\"j\"/><body name=\"b\" pos=\"0 0 1\">" + last +
           "<joint name=\"k\" axis=\"0 1 0\"/><joint name=\"l\" axis=\"1 0 0\"/>"
           "</body></body></worldbody></mujoco>";
  };
  const std::string known = "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\".1 .1 .1\"/>";
  const std::string unknown = "<geom type=\"mesh\" mesh=\"hand\"/>";
  for (const std::string& last : {known, unknown})
    for (const char* held : {"k", "l"})
      EXPECT_LT(exportMjcf(model_of(held, mjcf(last))).max_relative_disagreement, 1e-9) << held;
  const ExportedModel shared = exportMjcf(describedModel(
      std::make_shared<Robot>(parseRobot("ignore = [\"k\", \"l\"]", mjcf(unknown)))));
  EXPECT_THAT(shared.dropped, Contains(HasSubstr("held joints")));
}

TEST(Exports, CompilerOptionsThatWouldChangeTheInertiasAreLeftOut) {
  const std::string text =
      "<mujoco><compiler settotalmass=\"30\" inertiafromgeom=\"true\"/><worldbody>"
      "<body name=\"a\"><joint name=\"j\" axis=\"0 1 0\"/>"
      "<geom type=\"box\" size=\"0.1 0.2 0.3\"/><body name=\"welded\" pos=\"0 0 1\">"
      "<geom type=\"sphere\" size=\"0.1\"/></body></body></worldbody></mujoco>";
  const ExportedModel result =
      exportMjcf(describedModel(std::make_shared<Robot>(parseRobot("", text))));
  EXPECT_LT(result.max_relative_disagreement, 1e-9);
  EXPECT_THAT(result.text, Not(HasSubstr("settotalmass")));
  EXPECT_THAT(result.text, HasSubstr("inertiafromgeom=\"auto\""));
  EXPECT_THAT(result.dropped,
              Contains(HasSubstr("<compiler> inertiafromgeom, settotalmass: left out")));
}

TEST(Exports, JointsThatFollowOthersHaveNoFrictionOfTheirOwn) {
  const std::string followed =
      "<robot name=\"r\"><link name=\"w\"/>"
      "<link name=\"a\"/><link name=\"b\"/>"
      "<joint name=\"j\" type=\"revolute\"><parent link=\"w\"/><child link=\"a\"/>"
      "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/></joint>"
      "<joint name=\"k\" type=\"revolute\"><parent link=\"w\"/><child link=\"b\"/>"
      "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\"/>"
      "<mimic joint=\"j\"/><dynamics damping=\"40\" friction=\"6\"/></joint></robot>";
  const ExportedModel result =
      exportUrdf(describedModel(std::make_shared<Robot>(parseRobot("", followed))));
  EXPECT_THAT(result.text, HasSubstr("<dynamics damping=\"0\" friction=\"0\"/>"));
}

TEST(Exports, FormatsWithoutGravitySayWhichToSet) {
  Model model = armModel();
  EXPECT_THAT(exportUrdf(model).dropped, Not(Contains(HasSubstr("has no gravity"))));
  Robot robot = *model.robot;
  robot.gravity = -robot.gravity;
  robot.description_text = "gravity = [0, 0, 9.80665]";
  model.robot = std::make_shared<Robot>(robot);
  EXPECT_THAT(exportUrdf(model).dropped, Contains(HasSubstr("set (0, 0, 9.807) m/s^2")));
  EXPECT_THAT(exportSdf(model).dropped, Contains(HasSubstr("set (0, 0, 9.807) m/s^2")));
}

TEST(Exports, AnMjcfHoldsTheDriveInertia) {
  const ExportedModel mjcf = exportMjcf(withOperatingPoints(armModel(), 0.01));
  for (const ExportCost::Loss& loss : mjcf.cost.losses)
    EXPECT_THAT(loss.what, ::testing::Not(HasSubstr("drive_inertia")));
}

TEST(Exports, WithoutOperatingPointsTheCostIsSaidToBeUnknown) {
  EXPECT_THAT(exportUrdf(armModel()).dropped,
              Contains("what this costs is not known: the model holds no operating points of logs, "
                       "which identify adds (in C++: addOperatingPoints); models of simulate, of "
                       "statistics and of an older dynid have none"));
}

TEST(Exports, EveryFormatRefusesAModelThatMustNotBeUsed) {
  Model model = armModel();
  model.status = {false, "the logs hold no motion"};
  const auto refusal = [&](const auto& make) -> std::string {
    try {
      make();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([&] { exportUrdf(model); }),
            "no URDF is written: the model is not usable: the logs hold no motion");
  EXPECT_THAT(refusal([&] { exportMjcf(model); }), HasSubstr("no MJCF is written"));
  EXPECT_THAT(refusal([&] { exportSdf(model); }), HasSubstr("no SDF is written"));
  EXPECT_THAT(refusal([&] { exportC(model, "arm"); }), HasSubstr("no C file is written"));
  model.status = {true, ""};
  model.scale_known = false;
  EXPECT_THAT(refusal([&] { exportMjcf(model); }), HasSubstr("give a drive_gain"));
  model = armModel();
  model.parameters(10) = -1.0;  // the mass of the second link
  EXPECT_THAT(refusal([&] { exportSdf(model); }),
              HasSubstr("the mass -1 kg; a positive one is expected: the model was changed after "
                        "identification; identify again"));
}

TEST(Exports, ABodyThatWasChangedInTheFileIsNoticed) {
  const Model model = armModel();
  std::string text = exportSdf(model).text;
  EXPECT_LT(rigidDisagreement(model, bodiesOfSdf(text)), 1e-12);
  const size_t at = text.rfind("<ixx>") + 5;
  text.replace(at, 1, "9");
  EXPECT_GT(rigidDisagreement(model, bodiesOfSdf(text)), 1e-6);
}

}  // namespace
}  // namespace dynid
