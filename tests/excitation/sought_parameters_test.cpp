#include "dynid/excitation/sought_parameters.h"

#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/objective.h"
#include "dynid/math/random_stream.h"
#include "dynid/spatial/inertia.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

// A random tree whose last body carries a tool flange away from its own origin.
std::shared_ptr<Robot> robotWithFlange(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 5;
  options.coupling = 0.5;
  auto robot = std::make_shared<Robot>(randomRobot(seed, options));
  Body::FixedLink flange;
  flange.name = "flange";
  flange.X_BL.R = rotationFromRpy({0.3, -0.8, 1.9});
  flange.X_BL.p = {0.1, -0.2, 0.3};
  robot->bodies.back().links.push_back(flange);
  return robot;
}

MotionSamples randomMotion(const Robot& robot, Eigen::Index samples, std::uint64_t seed) {
  RandomStream random(seed, 4);
  MotionSamples motion;
  for (Eigen::MatrixXd* part : {&motion.q, &motion.dq, &motion.ddq}) {
    part->resize(samples, robot.numJoints());
    for (double& value : part->reshaped()) value = random.normal();
  }
  return motion;
}

TEST(PayloadParameters, RowsTellWhatALoadAddsToTheEfforts) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto robot = robotWithFlange(seed);
    const SoughtParameters sought = payloadParameters(robot, "flange");
    ASSERT_LE(sought.count(), 10);
    ASSERT_GE(sought.count(), 1);
    const Eigen::Index n = robot->numJoints();
    Information information(robot, sought, Eigen::VectorXd::Ones(n));
    std::mt19937_64 rng(seed);
    const InertialParameters load = support::randomBody(rng);
    auto loaded = std::make_shared<Robot>(*robot);
    *loaded->bodies.back().prior += transformed(robot->bodies.back().links.back().X_BL, load);
    const MotionSamples motion = randomMotion(*robot, 4, seed);
    const Eigen::VectorXd predicted =
        information.rows(motion, Eigen::VectorXd::Zero(n)) * (sought.base.combination() * load);
    for (Eigen::Index i = 0; i < 4; ++i) {
      const auto efforts = [&](const Robot& one) -> Eigen::VectorXd {
        return one.T.transpose() * inverseDynamics(one,
                                                   priorParameters(one),
                                                   motion.q.row(i).transpose(),
                                                   motion.dq.row(i).transpose(),
                                                   motion.ddq.row(i).transpose());
      };
      const Eigen::VectorXd added = efforts(*loaded) - efforts(*robot);
      for (Eigen::Index j = 0; j < n; ++j)
        EXPECT_NEAR(predicted(4 * j + i), added(j), 1e-9 * (1.0 + added.norm())) << "seed " << seed;
    }
  }
}

TEST(PayloadParameters, GradientIsExact) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const auto robot = robotWithFlange(seed);
    const MotionLimits limits = motionLimits(*robot, {});
    const auto information = std::make_shared<Information>(
        robot, payloadParameters(robot, "flange"), Eigen::VectorXd::LinSpaced(5, 0.5, 2.0));
    ExcitationObjective objective(information, limits.velocity, 3, 5.0, 60);
    RandomStream random(seed, 3);
    const Eigen::MatrixXd scale = coefficientScale(limits, 3, 5.0);
    Eigen::MatrixXd X = scale, direction = scale, gradient;
    for (double& value : X.reshaped()) value *= 0.4 * random.normal();
    for (double& value : direction.reshaped()) value *= random.normal();
    const ExcitationObjective::Smoothness smoothness{3.0, 0.1};
    objective.evaluate(Criterion::kD, smoothness, X, &gradient);
    const auto f = [&](double h) {
      return objective.evaluate(Criterion::kD, smoothness, X + h * direction, nullptr);
    };
    const double h = 1e-4;
    const double difference = (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
    // Rounding error of f (1e-13 of values up to 1e2), divided by h.
    EXPECT_NEAR(gradient.cwiseProduct(direction).sum(),
                difference,
                1e-6 * (1.0 + gradient.cwiseProduct(scale).norm()))
        << "seed " << seed;
  }
}

TEST(PayloadParameters, OneJointSeesWhatTurnsAboutItsAxis) {
  const auto robot = std::make_shared<const Robot>(chainRobot({{}}, {0.0, -9.81, 0.0}));
  // Rotation about z, gravity perpendicular to z: mx, my, Izz.
  EXPECT_EQ(payloadParameters(robot, "link1").names(),
            (std::vector<std::string>{"payload.mx", "payload.my", "payload.Izz"}));
  EXPECT_THROW(payloadParameters(robot, "lnk1"), std::invalid_argument);
}

TEST(WithPointMass, AddsTheMassWhereTheLinkIs) {
  const auto robot = robotWithFlange(1);
  const auto loaded = withPointMass(*robot, "flange", 2.0);
  const InertialParameters added = *loaded->bodies.back().prior - *robot->bodies.back().prior;
  const CenterOfMassInertia seen = centerOfMassInertia(added);
  EXPECT_NEAR(seen.mass, 2.0, 1e-12);
  EXPECT_LT((seen.com - Eigen::Vector3d(0.1, -0.2, 0.3)).norm(), 1e-12);
  EXPECT_LT(seen.inertia_about_com.norm(), 1e-12);
}

}  // namespace
}  // namespace dynid
