#include "dynid/validation/physics_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include "robot/test_texts.h"
#include "support/random_robot.h"

namespace dynid {
namespace {

using ::dynid::testing::syntheticModel;
using ::testing::HasSubstr;

Model randomModel(std::uint64_t seed) {
  RandomRobotOptions options;
  options.coupling = 0.5;
  Model model;
  model.robot = std::make_shared<Robot>(randomRobot(seed, options));
  model.layout = inertialLayout(*model.robot);
  for (int a = 0; a < model.robot->numJoints(); ++a)
    model.layout.append(driveInertiaColumn(*model.robot, a));
  model.parameters.resize(model.layout.size());
  model.parameters << priorParameters(*model.robot),
      Eigen::VectorXd::LinSpaced(model.robot->numJoints(), 0.1, 2.0);
  return model;
}

TEST(PhysicsChecks, StructureHoldsForEveryModel) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Model model = randomModel(seed);
    for (const Check& check : {checkSkewSymmetry(model), checkPowerBalance(model)}) {
      EXPECT_EQ(check.outcome, Check::Outcome::kPassed) << check.name << ": " << check.message;
      EXPECT_LT(check.value, 1e-11) << check.name;
    }
  }
}

// A finger that a mimic joint keeps parallel: its mass matrix is constant, because the terms of its
// rate cancel to rounding errors.
TEST(PhysicsChecks, HoldWhereTheTermsCancel) {
  const std::string body =
      "<inertial><origin xyz=\"0.01 0.02 0.003\"/><mass value=\"0.02\"/><inertia ixx=\"1e-5\" "
      "iyy=\"1e-5\" izz=\"1e-5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  Model model;
  model.robot = std::make_shared<Robot>(parseRobot(
      "",
      urdf(link("base") + link("knuckle", body) + link("finger", body) +
           joint("j", "revolute", "base", "knuckle") +
           joint("tip",
                 "revolute",
                 "knuckle",
                 "finger",
                 "<origin xyz=\"0 0.031 0.027\"/><mimic joint=\"j\" multiplier=\"-1\"/>"))));
  model.layout = inertialLayout(*model.robot);
  model.parameters = priorParameters(*model.robot);
  const Check check = checkSkewSymmetry(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed) << check.message;
}

TEST(PhysicsChecks, NumbersThatAreNoneFail) {
  Model model = randomModel(1);
  model.parameters(3) = std::nan("");
  EXPECT_EQ(checkSkewSymmetry(model).outcome, Check::Outcome::kFailed);
  EXPECT_EQ(checkPowerBalance(model).outcome, Check::Outcome::kFailed);
}

void addFriction(Model& model, FrictionEffect effect, double value, double shape = 0.0) {
  Column column = frictionColumn(*model.robot, 0, effect, shape);
  column.name += std::to_string(model.layout.size());
  model.layout.append(column);
  model.parameters.conservativeResize(model.layout.size());
  model.parameters(model.layout.size() - 1) = value;
}

TEST(FrictionPassivity, OfAModelWithoutFriction) {
  const Check check = checkFrictionPassivity(randomModel(2));
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed);
  EXPECT_EQ(check.message, "the model has no friction");
}

TEST(FrictionPassivity, HoldsWhereTheSumTakesEnergy) {
  Model model = randomModel(3);
  addFriction(model, FrictionEffect::kViscous, 0.5);
  addFriction(model, FrictionEffect::kCoulomb, 2.0);
  addFriction(model, FrictionEffect::kStribeck, -1.9, 0.1);
  addFriction(model, FrictionEffect::kAsymmetric, -0.4);
  addFriction(model, FrictionEffect::kOffset, 100.0);  // offset is not friction
  const Check check = checkFrictionPassivity(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed) << check.message;
  EXPECT_GT(check.value, 0.0);
}

TEST(FrictionPassivity, NamesTheDriveThatPushes) {
  Model model = randomModel(3);
  addFriction(model, FrictionEffect::kViscous, 0.5);
  addFriction(model, FrictionEffect::kCoulomb, 0.1);
  // Larger than the friction against the motion, in one direction
  addFriction(model, FrictionEffect::kAsymmetric, 0.7);
  const Check check = checkFrictionPassivity(model);
  EXPECT_EQ(check.outcome, Check::Outcome::kNoticed);
  EXPECT_LT(check.value, 0.0);
  EXPECT_THAT(check.message, HasSubstr("friction of joint1 pushes with"));
  EXPECT_THAT(check.message, HasSubstr("at -"));
}

TEST(FrictionPassivity, ReachesToTheSpeedOfADriveBehindATransmission) {
  Model model = randomModel(3);
  Robot geared = *model.robot;
  geared.T.setIdentity();
  geared.joints[0].limits.velocity = 2.0;
  model.robot = std::make_shared<const Robot>(geared);
  // Together they push above 4 rad/s of the drive.
  addFriction(model, FrictionEffect::kViscous, 1.0);
  addFriction(model, FrictionEffect::kQuadraticViscous, -0.25);
  EXPECT_EQ(checkFrictionPassivity(model).outcome, Check::Outcome::kPassed);
  geared.T(0, 0) = 0.25;
  model.robot = std::make_shared<const Robot>(geared);
  EXPECT_EQ(checkFrictionPassivity(model).outcome, Check::Outcome::kNoticed);
}

TEST(PhysicsChecks, PassForTheSyntheticModel) {
  const Model model = syntheticModel();
  EXPECT_EQ(checkSkewSymmetry(model).outcome, Check::Outcome::kPassed);
  EXPECT_EQ(checkPowerBalance(model).outcome, Check::Outcome::kPassed);
}

}  // namespace
}  // namespace dynid
