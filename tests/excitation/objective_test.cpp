#include "dynid/excitation/objective.h"

#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/math/random_stream.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>

namespace dynid {
namespace {

void fillNormal(Eigen::MatrixXd& m, RandomStream& random) {
  for (double& value : m.reshaped()) value = random.normal();
}

// Central difference of the weighted sum of the regressor along a direction of (q, dq, ddq).
TEST(RegressorAdjoint, IsTheDerivativeOfTheRegressor) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto robot = std::make_shared<const Robot>(randomRobot(seed));
    const Eigen::Index n = robot->numJoints(), samples = 3;
    RandomStream random(seed, 7);
    MotionSamples motion, direction, gradient;
    for (MotionSamples* m : {&motion, &direction})
      for (Eigen::MatrixXd* part : {&m->q, &m->dq, &m->ddq}) {
        part->resize(samples, n);
        fillNormal(*part, random);
      }
    ProjectionRegressor regressor(robot);
    std::vector<Eigen::MatrixXd> G;
    for (int j = 0; j < n; ++j) {
      G.emplace_back(samples, static_cast<Eigen::Index>(regressor.columns(j).size()));
      fillNormal(G.back(), random);
    }
    const auto sum = [&](double h) {
      std::vector<Eigen::MatrixXd> Y;
      regressor.evaluate(motion.q + h * direction.q,
                         motion.dq + h * direction.dq,
                         motion.ddq + h * direction.ddq,
                         Y);
      double total = 0.0;
      for (size_t j = 0; j < Y.size(); ++j) total += Y[j].cwiseProduct(G[j]).sum();
      return total;
    };
    RegressorAdjoint adjoint(robot);
    adjoint.evaluate(motion.q, motion.dq, motion.ddq, G, gradient.q, gradient.dq, gradient.ddq);
    const double exact = gradient.q.cwiseProduct(direction.q).sum() +
                         gradient.dq.cwiseProduct(direction.dq).sum() +
                         gradient.ddq.cwiseProduct(direction.ddq).sum();
    const double size = gradient.q.norm() + gradient.dq.norm() + gradient.ddq.norm();
    // Fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h, rounding 1e-16/h = 1e-13.
    const double h = 1e-3;
    const double difference =
        (8.0 * (sum(h) - sum(-h)) - (sum(2.0 * h) - sum(-2.0 * h))) / (12.0 * h);
    EXPECT_NEAR(exact, difference, 1e-8 * size) << "seed " << seed;
  }
}

struct Case {
  std::shared_ptr<const Robot> robot;
  std::shared_ptr<Information> information;
  MotionLimits limits;
};
Case makeCase(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 4;
  options.coupling = 0.5;
  Case made;
  made.robot = std::make_shared<const Robot>(randomRobot(seed, options));
  const auto channels = static_cast<Eigen::Index>(made.robot->drives.size());
  made.information = std::make_shared<Information>(made.robot,
                                                   soughtParameters(made.robot, true),
                                                   Eigen::VectorXd::LinSpaced(channels, 0.5, 2.0));
  made.limits = motionLimits(*made.robot, {});
  return made;
}

// Robots whose smallest eigenvalue is large enough for finite differences.
TEST(ExcitationObjective, GradientOfEveryCriterionIsExact) {
  for (std::uint64_t seed : {1, 3, 4, 5}) {
    const Case c = makeCase(seed);
    ExcitationObjective objective(c.information, c.limits.velocity, 5, 10.0, 200);
    RandomStream random(seed, 3);
    const Eigen::MatrixXd scale = coefficientScale(c.limits, 5, 10.0);
    Eigen::MatrixXd X = scale, direction = scale;
    for (double& value : X.reshaped()) value *= 0.4 * random.normal();
    for (double& value : direction.reshaped()) value *= random.normal();
    X.row(0) += c.limits.middle().transpose();
    for (Criterion criterion :
         {Criterion::kD, Criterion::kA, Criterion::kE, Criterion::kCondition}) {
      const ExcitationObjective::Smoothness smoothness{3.0, 0.1};
      Eigen::MatrixXd gradient;
      objective.evaluate(criterion, smoothness, X, &gradient);
      const auto f = [&](double h) {
        return objective.evaluate(criterion, smoothness, X + h * direction, nullptr);
      };
      const double h = 1e-4;  // minimises the sum of truncation (h^4) and rounding (1 / h)
      const double difference = (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h);
      EXPECT_NEAR(gradient.cwiseProduct(direction).sum(),
                  difference,
                  1e-6 * (1.0 + gradient.cwiseProduct(scale).norm()))
          << "seed " << seed << " criterion " << toString(criterion);
    }
  }
}

TEST(Information, MatrixIsThatOfItsRows) {
  const Case c = makeCase(2);
  ExcitationObjective objective(c.information, c.limits.velocity, 3, 8.0, 50);
  RandomStream random(1, 1);
  Eigen::MatrixXd X = coefficientScale(c.limits, 3, 8.0);
  for (double& value : X.reshaped()) value *= 0.4 * random.normal();
  const MotionSamples motion = objective.samples(X);
  const Eigen::VectorXd hard = Eigen::VectorXd::Zero(c.robot->numJoints());
  const Eigen::MatrixXd W = c.information->rows(motion, hard);
  const Eigen::MatrixXd M = c.information->matrix(motion, hard);
  EXPECT_LT((W.transpose() * W / 50.0 - M).norm(), 1e-12 * M.norm());
}

// Rows times base parameters equal the efforts of the inverse dynamics, an independent computation.
TEST(Information, RowsTimesBaseParametersAreEfforts) {
  RandomRobotOptions options;
  options.joints = 5;
  const auto robot = std::make_shared<const Robot>(randomRobot(11, options));
  const SoughtParameters sought = soughtParameters(robot, false);
  Information information(robot, sought, Eigen::VectorXd::Ones(5));
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(sought.layout.size());
  pi.head(10 * robot->numBodies()) = priorParameters(*robot);
  RandomStream random(4, 4);
  MotionSamples motion;
  for (Eigen::MatrixXd* part : {&motion.q, &motion.dq, &motion.ddq}) {
    part->resize(6, 5);
    fillNormal(*part, random);
  }
  const Eigen::VectorXd predicted =
      information.rows(motion, Eigen::VectorXd::Zero(5)) * (sought.base.combination() * pi);
  for (Eigen::Index i = 0; i < 6; ++i) {
    const Eigen::VectorXd tau = inverseDynamics(*robot,
                                                priorParameters(*robot),
                                                motion.q.row(i).transpose(),
                                                motion.dq.row(i).transpose(),
                                                motion.ddq.row(i).transpose());
    for (Eigen::Index j = 0; j < 5; ++j)
      EXPECT_NEAR(predicted(6 * j + i), tau(j), 1e-9 * (1.0 + tau.norm()));
  }
}

}  // namespace
}  // namespace dynid
