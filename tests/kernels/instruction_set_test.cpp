#include "dynid/kernels/instruction_set.h"

#include "dynid/core/errors.h"
#include "dynid/dynamics/batch_body.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/projection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>

namespace dynid {
namespace {

using ::testing::HasSubstr;

/// Sets DYNID_ISA and restores it at the end.
class Forced {
 public:
  explicit Forced(const std::string& name) {
    if (const char* before = std::getenv("DYNID_ISA")) before_ = before;
    setenv("DYNID_ISA", name.c_str(), 1);
  }
  ~Forced() {
    if (before_.empty()) {
      unsetenv("DYNID_ISA");
    } else {
      setenv("DYNID_ISA", before_.c_str(), 1);
    }
  }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

 private:
  std::string before_;
};

// Error in units of the last place of the result.
double ulps(double value, long double truth) {
  const auto rounded = static_cast<double>(std::abs(truth));
  const double unit = std::nextafter(rounded, INFINITY) - rounded;
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / unit);
}

TEST(InstructionSet, SineAndCosineAreGoodToTwoAndAHalfUlp) {
  for (const InstructionSet& set : availableInstructionSets()) {
    std::mt19937_64 rng(7);
    double worst = 0.0;
    for (const double range : {1e-3, 1.0, 7.0, 1e3, 1e6}) {
      std::uniform_real_distribution<double> draw(-range, range);
      for (int i = 0; i < 40000 / set.lanes; ++i) {
        double x[8], sine[8], cosine[8];
        for (int k = 0; k < set.lanes; ++k) x[k] = draw(rng);
        set.sine_and_cosine(x, sine, cosine);
        for (int k = 0; k < set.lanes; ++k) {
          worst = std::max(worst, ulps(sine[k], std::sin(static_cast<long double>(x[k]))));
          worst = std::max(worst, ulps(cosine[k], std::cos(static_cast<long double>(x[k]))));
        }
      }
    }
    EXPECT_LT(worst, 2.5) << set.name;
  }
}

TEST(InstructionSet, TheHyperbolicTangentIsGoodToThreeUlp) {
  for (const InstructionSet& set : availableInstructionSets()) {
    std::mt19937_64 rng(8);
    double worst = 0.0;
    for (const double range : {1e-300, 1e-9, 0.3, 0.8, 3.0, 19.0, 30.0}) {
      std::uniform_real_distribution<double> draw(-range, range);
      for (const long count : {1, 3, 8, 4001}) {
        std::vector<double> x(count), y(x.size());
        for (double& value : x) value = draw(rng);
        set.tanh(x.data(), 0.5, count, y.data());
        for (size_t i = 0; i < x.size(); ++i)
          worst = std::max(worst, ulps(y[i], std::tanh(0.5L * x[i])));
      }
    }
    EXPECT_LT(worst, 3.0) << set.name;
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const double ends[] = {0.0, kInf, -kInf, 1e300, std::numeric_limits<double>::quiet_NaN()};
    double y[5];
    set.tanh(ends, 1.0, 5, y);
    EXPECT_EQ(y[0], 0.0);
    EXPECT_EQ(y[1], 1.0);
    EXPECT_EQ(y[2], -1.0);
    EXPECT_EQ(y[3], 1.0);
    EXPECT_TRUE(std::isnan(y[4]));
  }
}

TEST(InstructionSet, TheExponentialIsGoodToTwoUlp) {
  for (const InstructionSet& set : availableInstructionSets()) {
    std::mt19937_64 rng(9);
    double worst = 0.0;
    for (const double range : {1e-300, 1e-9, 0.3, 3.0, 40.0, 1400.0}) {
      std::uniform_real_distribution<double> draw(0.0, range);
      for (const long count : {1, 3, 8, 4001}) {
        std::vector<double> x(count), y(x.size());
        for (double& value : x) value = draw(rng);
        set.exponential(x.data(), -0.5, count, y.data());
        for (size_t i = 0; i < x.size(); ++i)
          worst = std::max(worst, ulps(y[i], std::exp(-0.5L * x[i])));
      }
    }
    EXPECT_LT(worst, 2.0) << set.name;
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const double ends[] = {0.0, kInf, 1e300, std::numeric_limits<double>::quiet_NaN()};
    double y[4];
    set.exponential(ends, -1.0, 4, y);
    EXPECT_EQ(y[0], 1.0);
    EXPECT_LT(y[1], 1e-300);
    EXPECT_EQ(y[2], y[1]);
    EXPECT_TRUE(std::isnan(y[3]));
  }
}

struct Batch {
  Eigen::MatrixXd q, dq, ddq;
};
Batch batch(const Robot& robot, Eigen::Index samples, std::mt19937_64& rng) {
  const auto draw = [&](double size) {
    Eigen::MatrixXd values(samples, robot.numJoints());
    std::uniform_real_distribution<double> uniform(-size, size);
    for (double& value : values.reshaped()) value = uniform(rng);
    return values;
  };
  return {draw(3.0), draw(2.0), draw(5.0)};
}

std::vector<Eigen::MatrixXd> rows(const Robot& robot, const Batch& b, const std::string& name) {
  const Forced forced(name);
  std::vector<Eigen::MatrixXd> Y;
  ProjectionRegressor(std::make_shared<Robot>(robot)).evaluate(b.q, b.dq, b.ddq, Y);
  return Y;
}

TEST(InstructionSet, AllGiveTheRegressorOfOneLaneOnAnyTree) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomRobotOptions options;
    options.joints = 1 + static_cast<int>(seed) * 2;
    options.branching = 0.1 * (seed % 4);
    const Robot robot = randomRobot(seed, options);
    std::mt19937_64 rng(seed);
    for (const Eigen::Index samples : {1, 2, 3, 7, 8, 9, 21}) {
      const Batch b = batch(robot, samples, rng);
      const std::vector<Eigen::MatrixXd> scalar = rows(robot, b, "scalar");
      for (const InstructionSet& set : availableInstructionSets()) {
        const std::vector<Eigen::MatrixXd> wide = rows(robot, b, set.name);
        for (size_t j = 0; j < scalar.size(); ++j)
          EXPECT_LT((wide[j] - scalar[j]).norm(), 1e-12 * scalar[j].norm())
              << set.name << ", seed " << seed << ", " << samples << " samples";
      }
    }
  }
}

// Sums instead of columns; overlapping lanes must not be counted twice.
TEST(InstructionSet, EffortsAreTheColumnsTimesTheParameters) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomRobotOptions options;
    options.joints = 1 + static_cast<int>(seed) * 2;
    options.branching = 0.1 * (seed % 4);
    const auto robot = std::make_shared<Robot>(randomRobot(seed, options));
    std::mt19937_64 rng(seed);
    const Eigen::VectorXd pi = support::vectorX(rng, 10 * robot->numBodies(), 1.0);
    for (const Eigen::Index samples : {1, 2, 3, 7, 8, 9, 21, 300}) {
      const Batch b = batch(*robot, samples, rng);
      for (const InstructionSet& set : availableInstructionSets()) {
        const std::vector<Eigen::MatrixXd> Y = rows(*robot, b, set.name);
        const Forced forced(set.name);
        const ProjectionRegressor regressor(robot);
        const Eigen::MatrixXd efforts = regressor.efforts(pi, b.q, b.dq, b.ddq);
        for (int j = 0; j < robot->numJoints(); ++j) {
          const Eigen::VectorXd from_rows = Y[j] * pi(regressor.columns(j));
          EXPECT_LT((efforts.col(j) - from_rows).norm(), 1e-11 * (1.0 + from_rows.norm()))
              << set.name << ", seed " << seed << ", " << samples << " samples";
        }
      }
    }
  }
}

TEST(InstructionSet, EverySampleOfABatchIsWhatNewtonAndEulerSay) {
  RandomRobotOptions options;
  options.joints = 7;
  const Robot robot = randomRobot(3, options);
  std::mt19937_64 rng(3);
  const Batch b = batch(robot, 37, rng);
  const Eigen::VectorXd pi = support::vectorX(rng, 10 * robot.numBodies(), 1.0);
  for (const InstructionSet& set : availableInstructionSets()) {
    const std::vector<Eigen::MatrixXd> Y = rows(robot, b, set.name);
    const ProjectionRegressor regressor(std::make_shared<Robot>(robot));
    for (Eigen::Index i = 0; i < b.q.rows(); ++i) {
      const Eigen::VectorXd tau = inverseDynamics(
          robot, pi, b.q.row(i).transpose(), b.dq.row(i).transpose(), b.ddq.row(i).transpose());
      for (int j = 0; j < robot.numJoints(); ++j) {
        const Eigen::VectorXd parameters = pi(regressor.columns(j));
        EXPECT_NEAR(Y[j].row(i).dot(parameters), tau(j), 1e-11 * tau.norm()) << set.name;
      }
    }
  }
}

// Robots placed by right angles use shorter code, one variant for each direction of an axis in the
// parent's frame: all must agree with Newton-Euler.
TEST(InstructionSet, EveryPlacementOfAnAxisGivesTheSame) {
  RandomRobotOptions options;
  options.joints = 12;
  std::set<BatchTurn> met;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    options.axis_aligned = seed % 3 == 0 ? 0.7 : 1.0;
    Robot robot = randomRobot(seed, options);
    std::mt19937_64 rng(seed);
    for (Body& body : robot.bodies) {
      if (support::chance(rng, 0.3)) body.axis = -body.axis;
      if (support::chance(rng, 0.1)) body.X_PJ.R = rotationFromRpy(support::vector(rng, 3.0));
      if (support::chance(rng, 0.3)) body.X_PJ.p(static_cast<int>(rng() % 3)) = 0.0;
    }
    for (const Body& body : robot.bodies)
      met.insert(batchBody(body,
                           batchFrame(body),
                           body.parent < 0 ? BatchFrame{} : batchFrame(robot.bodies[body.parent]))
                     .turn);
    const Batch b = batch(robot, 9, rng);
    const Eigen::VectorXd pi = support::vectorX(rng, 10 * robot.numBodies(), 1.0);
    const ProjectionRegressor regressor(std::make_shared<Robot>(robot));
    const Eigen::MatrixXd efforts = regressor.efforts(pi, b.q, b.dq, b.ddq);
    for (Eigen::Index i = 0; i < b.q.rows(); ++i) {
      const Eigen::VectorXd tau = inverseDynamics(
          robot, pi, b.q.row(i).transpose(), b.dq.row(i).transpose(), b.ddq.row(i).transpose());
      EXPECT_LT((efforts.row(i).transpose() - tau).norm(), 1e-12 * tau.norm()) << "seed " << seed;
    }
  }
  EXPECT_EQ(met.size(), 9U);  // every BatchTurn
}

TEST(InstructionSet, EffortsOfManyBatchesAreTheRegressorTimesTheParameters) {
  RandomRobotOptions options;
  options.joints = 6;
  const Robot robot = randomRobot(9, options);
  std::mt19937_64 rng(9);
  const Batch b = batch(robot, 2 * ProjectionRegressor::kBatch + 5, rng);
  const Eigen::VectorXd pi = support::vectorX(rng, 10 * robot.numBodies(), 1.0);
  const ProjectionRegressor regressor(std::make_shared<Robot>(robot));
  const Eigen::MatrixXd efforts = regressor.efforts(pi, b.q, b.dq, b.ddq);
  for (Eigen::Index i = 0; i < b.q.rows(); ++i) {
    const Eigen::VectorXd tau = inverseDynamics(
        robot, pi, b.q.row(i).transpose(), b.dq.row(i).transpose(), b.ddq.row(i).transpose());
    EXPECT_LT((efforts.row(i).transpose() - tau).norm(), 1e-11 * tau.norm());
  }
}

TEST(InstructionSet, AnUnknownOneIsRefused) {
  const Forced forced("mmx");
  try {
    chosenInstructionSet();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("DYNID_ISA=mmx: this processor has scalar, sse2"));
  }
}

}  // namespace
}  // namespace dynid
