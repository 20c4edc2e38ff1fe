#include "dynid/equations/rows.h"

#include "dynid/equations/structure.h"
#include "dynid/estimation/least_squares.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "equations/exact_rows.h"
#include "support/random_robot.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dynid {
namespace {

ExactRows randomRows(std::uint64_t seed, double coupling) {
  RandomRobotOptions options;
  options.joints = 6;
  options.coupling = coupling;
  const auto robot = std::make_shared<const Robot>(randomRobot(seed, options));
  return exactRows(robot, randomTruth(*robot, seed), {}, 50.0);
}

TEST(RowBuilder, RowsTimesTheTruthAreTheEffortOfNewtonEuler) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ExactRows exact = randomRows(seed, seed % 2 == 0 ? 0.5 : 0.0);
    for (size_t a = 0; a < exact.Y.size(); ++a) {
      const auto actuator = static_cast<Eigen::Index>(a);
      Eigen::VectorXd beta(exact.Y[a].cols());
      for (Eigen::Index c = 0; c < beta.size(); ++c) {
        const auto& independent = exact.base.independent;
        const int column = exact.columns[a][c];
        beta(c) = exact.truth(std::lower_bound(independent.begin(), independent.end(), column) -
                              independent.begin());
      }
      // Within the standstill band the rows have a ramp through zero and the truth a step.
      double worst = 0.0;
      const Eigen::VectorXd error = exact.Y[a] * beta - exact.effort.col(actuator);
      for (Eigen::Index i = 0; i < error.size(); ++i)
        if (exact.moving(i, actuator)) worst = std::max(worst, std::abs(error(i)));
      EXPECT_LT(worst, 1e-10 * exact.effort.col(actuator).cwiseAbs().maxCoeff())
          << "seed " << seed << ", actuator " << a;
    }
  }
}

TEST(RowBuilder, ExactRowsRecoverTheTruthToRounding) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const ExactRows exact = randomRows(seed, seed % 2 == 0 ? 0.5 : 0.0);
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(exact.samples(), exact.robot->numJoints());
    const Estimate estimate =
        weightedLeastSquares(compress(exact, none, 16), exact.base.independent);
    EXPECT_TRUE(estimate.unexcited.empty()) << "seed " << seed;
    // Rounding errors of the rows, eps ||W beta||, affect a parameter through its row of R^-1.
    const Eigen::MatrixXd inverse = estimate.R.triangularView<Eigen::Upper>().solve(
        Eigen::MatrixXd::Identity(estimate.R.cols(), estimate.R.cols()));
    const Eigen::VectorXd reach = inverse.rowwise().norm() * estimate.z.norm();
    const double worst = ((estimate.beta - exact.truth).array().abs() / reach.array()).maxCoeff();
    EXPECT_LT(worst, 10.0 * std::numeric_limits<double>::epsilon()) << "seed " << seed;
    EXPECT_LT((estimate.beta - exact.truth).norm(), 1e-9 * exact.truth.norm()) << "seed " << seed;
  }
}

TEST(RowBuilder, SampledRowsAreThoseOfAllSamplesThroughTheAntiAliasFilter) {
  constexpr double kRate = 1000.0;
  constexpr Eigen::Index kStride = 5, kEnd = 400;  // samples affected by the ends of the filter
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RandomRobotOptions options;
    options.joints = 4;
    options.coupling = seed % 2 == 0 ? 0.5 : 0.0;
    const auto robot = std::make_shared<const Robot>(randomRobot(seed, options));
    const SimulationTruth truth = randomTruth(*robot, seed);
    RandomMotionOptions motion;
    motion.duration_s = 8.0;
    const ActuatorSignals signals = exactSignals(*robot, truth, motion, kRate);
    std::vector<int> columns(truth.layout.size());
    std::iota(columns.begin(), columns.end(), 0);
    RowBuilder builder(
        robot, truth.layout, columns, Eigen::VectorXd::Constant(robot->numJoints(), 0.02));
    const PreslidingStates carry = builder.advance(signals, {});
    const Lowpass anti_alias = designLowpass(4, 60.0, kRate);
    std::vector<Eigen::Index> samples;
    for (Eigen::Index i = 0; i < signals.q().rows(); i += kStride) samples.push_back(i);

    RowBlock all, block;
    builder.build(signals, nullptr, carry, all);
    ActuatorSignals sampled = atSamples(signals, samples);
    builder.buildSampled(signals, samples, anti_alias, nullptr, carry, sampled, block);

    const auto expect_same = [&](Eigen::MatrixXd column, const Eigen::VectorXd& expected) {
      filterZeroPhase(anti_alias, column);
      double worst = 0.0;
      for (size_t k = 0; k < samples.size(); ++k)
        if (samples[k] >= kEnd && samples[k] < column.rows() - kEnd)
          worst = std::max(worst, std::abs(expected(k) - column(samples[k], 0)));
      EXPECT_LT(worst, 1e-6 * (1e-3 + column.cwiseAbs().maxCoeff())) << "seed " << seed;
    };
    ASSERT_EQ(sampled.effort.rows(), static_cast<Eigen::Index>(samples.size()));
    for (size_t a = 0; a < all.numChannels(); ++a) {
      for (Eigen::Index c = 0; c < all[a].cols(); ++c) expect_same(all[a].col(c), block[a].col(c));
      const auto actuator = static_cast<Eigen::Index>(a);
      expect_same(signals.effort.col(actuator), sampled.effort.col(actuator));
    }
  }
}

TEST(RowBuilder, PartsOfTheActuatorsHaveTheSameRows) {
  RandomRobotOptions options;
  options.joints = 6;
  for (const double coupling : {0.0, 0.5}) {
    options.coupling = coupling;
    const auto robot = std::make_shared<const Robot>(randomRobot(3, options));
    const SimulationTruth truth = randomTruth(*robot, 3);
    const ActuatorSignals signals = exactSignals(*robot, truth, {}, 200.0);
    std::vector<int> columns(truth.layout.size());
    std::iota(columns.begin(), columns.end(), 0);
    RowBuilder whole(robot, truth.layout, columns, Eigen::VectorXd::Constant(6, 0.02));
    whole.setTorqueModel(Eigen::VectorXd::Random(truth.layout.size()));
    const PreslidingStates carry = whole.advance(signals, {});
    std::vector<Eigen::Index> samples;
    for (Eigen::Index i = 0; i < signals.q().rows(); i += 2) samples.push_back(i);
    const Lowpass anti_alias = designLowpass(4, 20.0, 200.0);
    RowBlock all, all_sampled, block;
    whole.build(signals, nullptr, carry, all);
    ActuatorSignals sampled = atSamples(signals, samples);
    whole.buildSampled(signals, samples, anti_alias, nullptr, carry, sampled, all_sampled);

    EXPECT_EQ(whole.divided(10000).size(), 1u);
    std::vector<RowBuilder> parts = whole.divided(100);
    EXPECT_GT(parts.size(), 1u);
    Eigen::Index next = 0;
    for (RowBuilder& part : parts) {
      const Segment own = part.actuators();
      EXPECT_EQ(own.begin, next);
      next = own.end;
      ActuatorSignals own_sampled = atSamples(signals, samples);
      for (const bool at_samples : {false, true}) {
        if (at_samples)
          part.buildSampled(signals, samples, anti_alias, nullptr, carry, own_sampled, block);
        else
          part.build(signals, nullptr, carry, block);
        const RowBlock& expected = at_samples ? all_sampled : all;
        for (Eigen::Index a = 0; a < 6; ++a)
          if (a >= own.begin && a < own.end)
            EXPECT_EQ(block[a], expected[a]) << a;
          else
            EXPECT_EQ(block[a].cols(), 0) << a;
      }
      EXPECT_EQ(own_sampled.effort.middleCols(own.begin, own.size()),
                sampled.effort.middleCols(own.begin, own.size()));
      EXPECT_EQ(part.clone().columns(static_cast<int>(own.begin)).size(),
                whole.columns(static_cast<int>(own.begin)).size());
    }
    EXPECT_EQ(next, 6);
  }
}

TEST(TransmissionSides, CompleteWhatWasRecordedOnEither) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomRobotOptions options;
    options.joints = 4;
    options.coupling = seed % 2 == 0 ? 0.5 : 0.0;
    Robot robot = randomRobot(seed, options);
    const ActuatorSignals truth = exactSignals(robot, randomTruth(robot, seed), {}, 50.0);
    const Eigen::MatrixXd joint_effort = truth.effort * robot.T.inverse();
    for (const bool at_actuators : {false, true}) {
      ConditionedSignals recorded = truth.joint;
      recorded.effort = joint_effort;
      for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
        robot.measured_at_actuator[j] = at_actuators;
        if (!at_actuators) continue;
        recorded.q.col(j) = truth.q().col(j);
        recorded.dq.col(j) = truth.dq().col(j);
        recorded.ddq.col(j) = truth.ddq().col(j);
        recorded.effort.col(j) = truth.effort.col(j);
      }
      const ActuatorSignals signals = TransmissionSides(robot, false).complete(recorded);
      const bool plain = robot.T.isIdentity(0.0) && robot.transmission_offset.isZero(0.0);
      EXPECT_EQ(signals.actuator.has_value(), !plain) << "seed " << seed;
      EXPECT_TRUE(signals.joint.q.isApprox(truth.joint.q, 1e-12)) << "seed " << seed;
      EXPECT_TRUE(signals.joint.ddq.isApprox(truth.joint.ddq, 1e-12)) << "seed " << seed;
      EXPECT_TRUE(signals.q().isApprox(truth.q(), 1e-12)) << "seed " << seed;
      EXPECT_TRUE(signals.dq().isApprox(truth.dq(), 1e-12)) << "seed " << seed;
      EXPECT_TRUE(signals.effort.isApprox(truth.effort, 1e-12)) << "seed " << seed;
    }
  }
}

// Presliding states of two distances, and the sign of the velocity, have parameters of their own.
TEST(StructuralBase, DistancesOfPreslidingAreIndependent) {
  RandomRobotOptions options;
  options.joints = 1;
  const auto robot = std::make_shared<const Robot>(randomRobot(1, options));
  ParameterLayout layout = inertialLayout(*robot);
  const int first = layout.size();
  for (const double distance : {0.0, 3e-4, 1e-3, 1e-1}) {
    Column column = frictionColumn(*robot, 0, FrictionEffect::kCoulomb);
    column.presliding = distance;
    column.name += "@" + std::to_string(distance);
    layout.append(column);
  }
  const BaseParameters base = structuralBase(robot, layout, {std::nullopt});
  for (int c = first; c < layout.size(); ++c)
    EXPECT_TRUE(std::binary_search(base.independent.begin(), base.independent.end(), c))
        << layout[c].name;
}

}  // namespace
}  // namespace dynid
