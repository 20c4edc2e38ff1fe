#include "dynid/dynamics/projection.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>

namespace dynid {
namespace {

TEST(ProjectionRegressor, AgreesWithIndependentlyComputedTorques) {
  const std::string data = DYNID_REAL_DATA_DIR, oracle = DYNID_ORACLE_DIR;
  if (data.empty() || oracle.empty())
    GTEST_SKIP() << "DYNID_REAL_DATA_DIR or DYNID_ORACLE_DIR is not set";
  Robot robot = loadRobot(data + "/ur10e/ur10e.urdf");
  robot.gravity = {0.0, 0.0, -9.81};
  std::ifstream file(oracle + "/regressor_ur10e.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const std::vector<std::string> words = splitWords(line.substr(line.rfind(':') + 1));
  ASSERT_EQ(words.size(), 60U);
  Eigen::VectorXd pi(60);
  for (size_t i = 0; i < 60; ++i) pi(i) = parseFinite(words[i]).value();

  ProjectionRegressor regressor(std::make_shared<Robot>(robot));
  int states = 0;
  for (; std::getline(file, line); ++states) {
    Eigen::VectorXd row(24);
    std::istringstream cells(line);
    std::string cell;
    for (double& value : row) {
      ASSERT_TRUE(std::getline(cells, cell, ','));
      value = parseFinite(cell).value();
    }
    const Eigen::VectorXd tau =
        regressor.dense(row.head(6), row.segment(6, 6), row.segment(12, 6)) * pi;
    EXPECT_LT((tau - row.tail(6)).norm(), 1e-11 * row.tail(6).norm()) << "state " << states;
  }
  EXPECT_EQ(states, 20);
}

TEST(ProjectionRegressor, GivesTheTorqueOfNewtonEulerOnRandomTrees) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomRobotOptions options;
    options.joints = seed == 40 ? 30 : static_cast<int>(1 + seed % 12);
    const Robot robot = randomRobot(seed, options);
    const Eigen::VectorXd pi = priorParameters(robot);
    ProjectionRegressor regressor(std::make_shared<Robot>(robot));
    std::mt19937_64 rng(seed);
    const int n = robot.numJoints();
    const Eigen::VectorXd q = support::vectorX(rng, n, 3.0), dq = support::vectorX(rng, n, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, n, 5.0);
    const Eigen::MatrixXd Y = regressor.dense(q, dq, ddq);
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, q, dq, ddq);
    EXPECT_LT((Y * pi - tau).norm(), 1e-12 * tau.norm()) << "seed " << seed;
    const Eigen::MatrixXd efforts =
        regressor.efforts(pi, q.transpose(), dq.transpose(), ddq.transpose());
    EXPECT_LT((efforts.transpose() - tau).norm(), 1e-12 * tau.norm()) << "seed " << seed;
  }
}

TEST(ProjectionRegressor, StoresTheSubtreeOfEachJointOnly) {
  const Robot robot = randomRobot(5);
  ProjectionRegressor regressor(std::make_shared<Robot>(robot));
  const int n = robot.numJoints(), samples = 3;
  std::mt19937_64 rng(1);
  Eigen::MatrixXd q(samples, n), dq(samples, n), ddq(samples, n);
  for (int i = 0; i < samples; ++i) {
    q.row(i) = support::vectorX(rng, n, 1.0);
    dq.row(i) = support::vectorX(rng, n, 1.0);
    ddq.row(i) = support::vectorX(rng, n, 1.0);
  }
  std::vector<Eigen::MatrixXd> Y;
  regressor.evaluate(q, dq, ddq, Y);
  for (int j = 0; j < n; ++j) {
    const std::vector<bool> moved = robot.bodiesMovedBy(j);
    size_t count = 0;
    for (bool m : moved) count += m ? 1 : 0;
    EXPECT_EQ(regressor.bodies(j).size(), count);
    EXPECT_EQ(regressor.columns(j).size(), 10 * count);
    EXPECT_EQ(Y[j].cols(), static_cast<Eigen::Index>(10 * count));
    for (int i = 0; i < samples; ++i) {
      const Eigen::MatrixXd dense = regressor.dense(q.row(i), dq.row(i), ddq.row(i));
      const Eigen::RowVectorXd row = dense(j, regressor.columns(j));
      EXPECT_EQ((Y[j].row(i) - row).norm(), 0.0);
      EXPECT_NEAR(dense.row(j).norm(), row.norm(), 1e-14 * row.norm());
    }
  }
}

TEST(ProjectionRegressor, ComputesTheRowsOfSomeJointsOnly) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Robot robot = randomRobot(seed);
    const int n = robot.numJoints(), samples = 17;
    const ProjectionRegressor all(std::make_shared<Robot>(robot));
    std::mt19937_64 rng(seed);
    std::vector<bool> wanted(n);
    for (int j = 0; j < n; ++j) wanted[j] = rng() % 3 == 0;
    const ProjectionRegressor some(all, wanted);
    Eigen::MatrixXd q(samples, n), dq(samples, n), ddq(samples, n);
    for (Eigen::MatrixXd* m : {&q, &dq, &ddq})
      for (int j = 0; j < n; ++j) m->col(j) = support::vectorX(rng, samples, 2.0);
    std::vector<Eigen::MatrixXd> expected, Y;
    all.evaluate(q, dq, ddq, expected);
    ProjectionRegressor::Targets targets(n);
    for (int j = 0; j < n; ++j) {
      Y.push_back(Eigen::MatrixXd::Constant(samples, expected[j].cols(), 7.0));
      for (Eigen::Index c = 0; c < Y[j].cols(); ++c) targets[j].push_back(Y[j].col(c).data());
    }
    some.evaluate(q, dq, ddq, targets);
    for (int j = 0; j < n; ++j) {
      if (!wanted[j]) expected[j].setConstant(7.0);
      EXPECT_EQ((Y[j] - expected[j]).norm(), 0.0) << "seed " << seed << ", joint " << j;
    }
    const Eigen::VectorXd pi = priorParameters(robot);
    EXPECT_EQ((some.efforts(pi, q, dq, ddq) - all.efforts(pi, q, dq, ddq)).norm(), 0.0);
  }
}

TEST(ProjectionRegressor, RefusesShapesThatDoNotFit) {
  ProjectionRegressor regressor(std::make_shared<Robot>(randomRobot(1)));
  std::vector<Eigen::MatrixXd> Y;
  const Eigen::MatrixXd right = Eigen::MatrixXd::Zero(2, 7), wrong = Eigen::MatrixXd::Zero(2, 6);
  try {
    regressor.evaluate(right, wrong, right, Y);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "the motion has arrays of 2 x 6; expected 2 x 7");
  }
  EXPECT_THROW(regressor.efforts(Eigen::VectorXd::Ones(70), right, right, wrong),
               std::invalid_argument);
  EXPECT_THROW(regressor.efforts(Eigen::VectorXd::Ones(7), right, right, right),
               std::invalid_argument);
  EXPECT_THROW(regressor.efforts(Eigen::VectorXd::Ones(80), right, right, right),
               std::invalid_argument);
  EXPECT_THROW(regressor.evaluate(right, right, right, ProjectionRegressor::Targets(6)),
               std::invalid_argument);
  EXPECT_THROW(regressor.evaluate(right, right, right, ProjectionRegressor::Targets(7)),
               std::invalid_argument);
  EXPECT_THROW(regressor.columns(99), std::invalid_argument);
  EXPECT_THROW(regressor.columns(-1), std::invalid_argument);
  EXPECT_THROW(ProjectionRegressor(nullptr), std::invalid_argument);
}

TEST(ProjectionRegressor, RefusesAnglesOfManyTurnsBesideANaN) {
  ProjectionRegressor regressor(std::make_shared<Robot>(randomRobot(1)));
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(16, 7);
  const Eigen::MatrixXd still = q;
  const auto joint =
      static_cast<int>(std::find_if(regressor.robot().joints.begin(),
                                    regressor.robot().joints.end(),
                                    [](const Joint& candidate) { return !candidate.prismatic; }) -
                       regressor.robot().joints.begin());
  q(3, joint) = std::nan("");
  std::vector<Eigen::MatrixXd> Y;
  EXPECT_NO_THROW(regressor.evaluate(q, still, still, Y));
  for (const Eigen::Index row : {0, 15}) {
    Eigen::MatrixXd far = q;
    far(row, joint) = -1.1e6;
    EXPECT_THROW(regressor.evaluate(far, still, still, Y), InputError) << row;
  }
}

}  // namespace
}  // namespace dynid
