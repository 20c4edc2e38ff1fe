#include "dynid/excitation/forecast.h"

#include "dynid/excitation/information.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// One revolute joint about a vertical axis: only Izz and friction have an effect.
struct OneJoint {
  OneJoint() {
    auto made = std::make_shared<Robot>(chainRobot({{}}, {0.0, 0.0, -9.81}));
    made->bodies[0].prior = InertialParameters::Zero();
    (*made->bodies[0].prior)(9) = 0.5;
    made->joints[0].damping = 2.0;
    robot = made;
    sought = soughtParameters(robot, false);
  }
  std::shared_ptr<const Robot> robot;
  SoughtParameters sought;
};

TEST(Forecast, ExpectedValuesComeFromTheDescription) {
  const OneJoint one;
  ASSERT_EQ(
      one.sought.names(),
      (std::vector<std::string>{"link1.Izz", "joint1.viscous", "joint1.coulomb", "joint1.offset"}));
  const Eigen::VectorXd values = describedValues(*one.robot, one.sought);
  EXPECT_DOUBLE_EQ(values(0), 0.5);
  EXPECT_DOUBLE_EQ(values(1), 2.0);
  EXPECT_TRUE(std::isnan(values(2))) << "none given is none known";
  EXPECT_TRUE(std::isnan(values(3)));
}

// Joints 1 and 2 share two actuators, whose friction the description does not give.
TEST(Forecast, TheFrictionOfADriveOfItsOwnIsKnownBesideCoupledOnes) {
  auto robot = std::make_shared<Robot>(chainRobot({{}, {}, {}}, {0.0, 0.0, -9.81}));
  robot->T(0, 1) = 0.5;
  for (Joint& joint : robot->joints) joint.damping = 2.0;
  const SoughtParameters sought = soughtParameters(robot, false);
  const Eigen::VectorXd values = describedValues(*robot, sought);
  const std::vector<std::string> names = sought.names();
  const auto value_of = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return values(found - names.begin());
  };
  EXPECT_TRUE(std::isnan(value_of("joint1.viscous")));
  EXPECT_TRUE(std::isnan(value_of("joint2.viscous")));
  EXPECT_DOUBLE_EQ(value_of("joint3.viscous"), 2.0);
}

// Closed form: accelerations +-2 at speeds +-1, 100 samples for each pair of signs.
TEST(Forecast, StandardDeviationsInClosedForm) {
  const OneJoint one;
  MotionSamples motion;
  motion.q = Eigen::MatrixXd::Zero(4, 1);
  motion.dq = Eigen::Vector4d(1.0, 1.0, -3.0, -3.0);
  motion.ddq = Eigen::Vector4d(2.0, -2.0, 2.0, -2.0);
  const auto found =
      forecast(one.robot, one.sought, motion, 400.0, Eigen::VectorXd::Constant(1, 0.3));
  // ddq is orthogonal to all other columns: sigma / (2 sqrt(400)).
  EXPECT_NEAR(found[0].std_dev, 0.3 / 40.0, 1e-12);
  // Two speeds for viscous friction, Coulomb friction and offset: they cannot be separated.
  for (size_t i = 1; i < 4; ++i) EXPECT_TRUE(std::isinf(found[i].std_dev)) << found[i].name;
  EXPECT_TRUE(std::isinf(found[0].std_dev_before));
}

TEST(Forecast, VerdictsFollowTheStandardDeviations) {
  const OneJoint one;
  std::vector<ParameterForecast> forecasts;
  for (const std::string& name : one.sought.names()) {
    ParameterForecast p;
    p.name = name;
    p.expected = 0.5;
    p.std_dev = 0.1;
    forecasts.push_back(p);
  }
  const auto verdicts = [&] { return forecastVerdicts(one.sought, forecasts); };
  EXPECT_EQ(verdicts().verdicts[9].identifiability, Identifiability::kAlone);
  EXPECT_EQ(verdicts().verdicts[9].excitation, Excitation::kWell);
  EXPECT_EQ(verdicts().verdicts[0].identifiability, Identifiability::kNone);
  forecasts[0].std_dev = 0.6;
  EXPECT_EQ(verdicts().verdicts[9].excitation, Excitation::kBadly);
  forecasts[0].expected = NAN;
  EXPECT_FALSE(verdicts().judged[9]);
  EXPECT_EQ(verdicts().verdicts[9].excitation, Excitation::kWell);
  forecasts[0].std_dev = INFINITY;
  EXPECT_TRUE(verdicts().judged[9]);
  EXPECT_EQ(verdicts().verdicts[9].excitation, Excitation::kNone);
}

}  // namespace
}  // namespace dynid
