#include "dynid/dynamics/joint_effects.h"

#include "dynid/dynamics/friction_resistance.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

TEST(EffectColumn, FollowsItsDefinition) {
  EffectBlock block;
  block.dq = Eigen::Vector4d(-2.0, 0.0, 0.25, 4.0);
  block.q = Eigen::Vector4d(0.0, 0.1, 0.2, 0.3);
  block.ddq = Eigen::Vector4d(1.0, 2.0, 3.0, 4.0);
  block.tau_model = Eigen::Vector4d(5.0, 6.0, -7.0, 8.0);
  const auto column = [&](FrictionEffect effect, double shape = 0.0, int component = 0) {
    return effectColumn(effect, shape, component, block);
  };
  EXPECT_EQ(column(FrictionEffect::kViscous), Eigen::Vector4d(-2.0, 0.0, 0.25, 4.0));
  EXPECT_EQ(column(FrictionEffect::kCoulomb), Eigen::Vector4d(-1.0, 0.0, 1.0, 1.0));
  EXPECT_EQ(column(FrictionEffect::kOffset), Eigen::Vector4d(1.0, 1.0, 1.0, 1.0));
  EXPECT_EQ(column(FrictionEffect::kAsymmetric), Eigen::Vector4d(2.0, 0.0, 0.25, 4.0));
  EXPECT_EQ(column(FrictionEffect::kSqrtViscous), Eigen::Vector4d(-std::sqrt(2.0), 0.0, 0.5, 2.0));
  EXPECT_EQ(column(FrictionEffect::kQuadraticViscous), Eigen::Vector4d(-4.0, 0.0, 0.0625, 16.0));
  EXPECT_EQ(column(FrictionEffect::kLoad), Eigen::Vector4d(-5.0, 0.0, 7.0, 8.0));
  const Eigen::VectorXd stribeck = column(FrictionEffect::kStribeck, 0.5);
  EXPECT_NEAR(stribeck(2), std::exp(-0.25), 1e-15);
  EXPECT_NEAR(stribeck(0), -std::exp(-16.0), 1e-15);
  EXPECT_NEAR(column(FrictionEffect::kRipple, 10.0, 0)(1), std::sin(1.0), 1e-15);
  EXPECT_NEAR(column(FrictionEffect::kRipple, 10.0, 1)(3), std::cos(3.0), 1e-15);
  EXPECT_EQ(componentsOf(FrictionEffect::kRipple), 2);
  EXPECT_EQ(componentsOf(FrictionEffect::kViscous), 1);
  Column drive;
  drive.kind = ColumnKind::kDriveInertia;
  EXPECT_EQ(effectColumn(drive, block), block.ddq);
}

TEST(EffectColumn, HasARampWhereTheRampSpeedMatters) {
  EffectBlock step, ramp;
  step.q = step.ddq = step.tau_model = Eigen::Vector3d(1.0, 2.0, 3.0);
  step.dq = Eigen::Vector3d(-0.01, 0.02, 1.0);
  ramp = step;
  ramp.deadband = 0.1;
  for (const FrictionEffect effect : {FrictionEffect::kViscous,
                                      FrictionEffect::kCoulomb,
                                      FrictionEffect::kOffset,
                                      FrictionEffect::kAsymmetric,
                                      FrictionEffect::kSqrtViscous,
                                      FrictionEffect::kQuadraticViscous,
                                      FrictionEffect::kStribeck,
                                      FrictionEffect::kLoad,
                                      FrictionEffect::kRipple}) {
    Column column;
    column.kind = ColumnKind::kFriction;
    column.effect = effect;
    column.shape = 0.5;
    EXPECT_EQ(column.hasRamp(), effectColumn(column, step) != effectColumn(column, ramp))
        << toString(effect);
  }
}

TEST(FrictionColumn, ActuatorsThatDoNotExistAreRefused) {
  const Robot robot = randomRobot(1);
  for (const int actuator : {-1, robot.numJoints(), 99}) {
    EXPECT_THROW(frictionColumn(robot, actuator, FrictionEffect::kViscous), std::invalid_argument);
    EXPECT_THROW(jointFrictionColumn(robot, actuator, FrictionEffect::kViscous),
                 std::invalid_argument);
    EXPECT_THROW(driveInertiaColumn(robot, actuator), std::invalid_argument);
  }
}

TEST(VelocitySign, RampsThroughTheDeadband) {
  const Eigen::VectorXd s = velocitySign(Eigen::Vector4d(-0.2, -0.05, 0.025, 0.1), 0.1);
  EXPECT_LT((s - Eigen::Vector4d(-1.0, -0.5, 0.25, 1.0)).norm(), 1e-15);
}

TEST(EffectColumn, SaysWhatIsMissing) {
  EffectBlock block;
  block.dq = Eigen::Vector2d(1.0, 2.0);
  block.q = block.dq;
  const auto message = [&](FrictionEffect effect, double shape) {
    try {
      effectColumn(effect, shape, 0, block);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(FrictionEffect::kLoad, 0.0),
            "the effect load got 0 samples of tau_model; expected 2");
  EXPECT_EQ(message(FrictionEffect::kStribeck, -1.0),
            "the effect stribeck got the shape -1; expected a positive number");
  EXPECT_EQ(message(FrictionEffect::kPresliding, 0.1),
            "the effect presliding got no state; expected the state of the block before");
}

TEST(Presliding, SolvesDahlsEquationHoweverTheTravelIsSampled) {
  // Loading from z = 0: z = 1 - exp(-q/delta); after a reversal at z0: z = -1 + (1 + z0)
  // exp(-travel/delta).
  const double delta = 0.002;
  for (int steps : {1, 7, 100}) {
    PreslidingState state;
    const Eigen::VectorXd there = Eigen::VectorXd::LinSpaced(steps + 1, 0.0, 0.003);
    const Eigen::VectorXd z = preslidingColumn(there, delta, state);
    const double z0 = 1.0 - std::exp(-1.5);
    EXPECT_EQ(z(0), 0.0);
    EXPECT_NEAR(z(steps), z0, 1e-12);
    const Eigen::VectorXd back = there.reverse().tail(steps);
    EXPECT_NEAR(
        preslidingColumn(back, delta, state)(steps - 1), -1.0 + (1.0 + z0) * std::exp(-1.5), 1e-12);
  }
}

TEST(Presliding, IsTheSameInBlocksAndStaysWithinOne) {
  std::mt19937_64 rng(4);
  std::normal_distribution<double> normal(0.0, 0.003);
  Eigen::VectorXd q(1000);
  for (double& x : q) x = normal(rng);
  PreslidingState whole, split;
  const Eigen::VectorXd z = preslidingColumn(q, 0.002, whole);
  Eigen::VectorXd pieces(1000);
  pieces << preslidingColumn(q.head(333), 0.002, split),
      preslidingColumn(q.tail(667), 0.002, split);
  EXPECT_EQ(z, pieces);
  EXPECT_LE(z.cwiseAbs().maxCoeff(), 1.0);
}

TEST(Presliding, BecomesCoulombFrictionAfterSomeTravel) {
  PreslidingState state;
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(100, 0.0, -1.0);
  EXPECT_NEAR(preslidingColumn(q, 0.002, state)(99), -1.0, 1e-15);
}

TEST(Presliding, StandsInPlaceOfTheSignWhereAColumnAsksForIt) {
  EffectBlock block;
  block.q = Eigen::VectorXd::LinSpaced(50, 0.0, 0.01);
  block.dq = Eigen::VectorXd::Constant(50, 0.1);
  block.tau_model = Eigen::VectorXd::Constant(50, -3.0);
  Column column;
  column.kind = ColumnKind::kFriction;
  column.effect = FrictionEffect::kLoad;
  column.presliding = 0.002;
  PreslidingState state, alone;
  const Eigen::VectorXd z = preslidingColumn(block.q, 0.002, alone);
  EXPECT_EQ(effectColumn(column, block, &state), 3.0 * z);
  EXPECT_EQ(effectColumn(column, block), Eigen::VectorXd::Constant(50, 3.0));
}

TEST(Presliding, IsTheSignOfTheVelocityWithoutAState) {
  EffectBlock block;
  block.dq = Eigen::Vector3d(-0.3, 0.1, 2.0);
  block.deadband = 0.2;
  Column column;
  column.kind = ColumnKind::kFriction;
  column.effect = FrictionEffect::kPresliding;
  column.shape = 0.002;
  EXPECT_EQ(effectColumn(column, block), Eigen::Vector3d(-1.0, 0.5, 1.0));
}

TEST(EffectColumn, HasTheSmoothSignOfItsColumn) {
  EffectBlock block;
  block.dq = Eigen::Vector3d(-0.3, 0.0, 0.1);
  block.tau_model = Eigen::Vector3d(2.0, 2.0, -4.0);
  block.deadband = 10.0;
  const Eigen::Vector3d s(std::tanh(-1.5), 0.0, std::tanh(0.5));
  Column column;
  column.kind = ColumnKind::kFriction;
  column.smoothing = 0.2;
  column.effect = FrictionEffect::kCoulomb;
  EXPECT_LT((effectColumn(column, block) - s).norm(), 1e-15);
  column.effect = FrictionEffect::kLoad;
  EXPECT_LT((effectColumn(column, block) - Eigen::Vector3d(2.0 * s(0), 0.0, 4.0 * s(2))).norm(),
            1e-15);
  column.effect = FrictionEffect::kStribeck;
  column.shape = 0.1;
  EXPECT_NEAR(effectColumn(column, block)(2), s(2) * std::exp(-1.0), 1e-15);
}

// At low speed a smoothed sign resists less than the sign.
TEST(FrictionResistance, IsTheEffortAgainstTheMotion) {
  Column smooth;
  smooth.kind = ColumnKind::kFriction;
  smooth.effect = FrictionEffect::kCoulomb;
  smooth.smoothing = 0.5;
  Column asymmetric;
  asymmetric.kind = ColumnKind::kFriction;
  asymmetric.effect = FrictionEffect::kAsymmetric;
  const Eigen::MatrixXd resistance =
      frictionResistance({smooth, asymmetric}, Eigen::Vector2d(0.1, -2.0));
  Eigen::Matrix2d expected;
  expected << std::tanh(0.2), 0.1, std::tanh(4.0), -2.0;
  EXPECT_LT((resistance - expected).norm(), 1e-15);
}

TEST(FrictionResistance, AStribeckCurveIsBoundedByTheCoulombFriction) {
  const auto friction = [](FrictionEffect effect) {
    Column column;
    column.kind = ColumnKind::kFriction;
    column.effect = effect;
    return column;
  };
  const Column coulomb = friction(FrictionEffect::kCoulomb),
               viscous = friction(FrictionEffect::kViscous),
               stribeck = friction(FrictionEffect::kStribeck);
  const Eigen::MatrixXd margin = stribeckMargin({coulomb, viscous, stribeck, coulomb});
  ASSERT_EQ(margin.rows(), 1);
  EXPECT_EQ(margin.row(0), Eigen::RowVector4d(3.0, 0.0, -1.0, 3.0));
  EXPECT_EQ(stribeckMargin({coulomb, viscous}).rows(), 0);
  EXPECT_EQ(stribeckMargin({viscous, stribeck}).rows(), 0);
}

// A drive behind a coupled transmission turns faster than each joint may.
TEST(FrictionResistance, ReachesToTheHighestSpeedOfTheActuator) {
  Robot robot;
  robot.joints.resize(3);
  robot.joints[0].limits.velocity = 2.0;
  robot.joints[1].limits.velocity = 3.0;
  robot.joints[1].prismatic = true;
  robot.joints[2].limits.velocity = std::numeric_limits<double>::infinity();
  Eigen::Matrix3d actuators_from_joints;
  actuators_from_joints << 1.0, 0.0, 0.0, -4.0, 0.5, 0.0, 0.0, 0.0, 100.0;
  robot.T = actuators_from_joints.inverse();
  EXPECT_LT((highestJointSpeeds(robot) - Eigen::Vector3d(2.0, 3.0, 5.0)).norm(), 1e-12);
  EXPECT_LT((highestActuatorSpeeds(robot) - Eigen::Vector3d(2.0, 9.5, 500.0)).norm(), 1e-9);
}

TEST(PositionColumns, HaveTheirTerms) {
  const Eigen::VectorXd q = Eigen::Vector2d(0.5, -1.0);
  PositionEffect effect;
  EXPECT_EQ(positionTerms(effect, false)[0].name, "spring");
  EXPECT_EQ(positionTerms(effect, false)[0].unit, "N m/rad");
  EXPECT_EQ(positionColumns(effect, q).col(0), q);
  effect.kind = PositionEffect::Kind::kPolynomial;
  effect.degree = 3;
  EXPECT_EQ(positionTerms(effect, true)[2].unit, "N/m^3");
  EXPECT_EQ(positionColumns(effect, q).row(0), Eigen::RowVector3d(0.5, 0.25, 0.125));
  effect.kind = PositionEffect::Kind::kFourier;
  effect.harmonics = 2;
  EXPECT_EQ(positionTerms(effect, false)[3].name, "cos2");
  EXPECT_NEAR(positionColumns(effect, q)(1, 2), std::sin(-2.0), 1e-15);
  effect.degree = 0;
  effect.kind = PositionEffect::Kind::kPolynomial;
  EXPECT_THROW(positionColumns(effect, q), std::invalid_argument);
}

TEST(PositionColumns, CounterbalanceIsTheWorkOfItsStrut) {
  PositionEffect effect;
  effect.kind = PositionEffect::Kind::kCounterbalance;
  effect.radius = 0.3;
  effect.distance = 0.9;
  effect.angle = 0.4;
  const auto length = [&](double q) {
    // Anchor on the x axis at `distance`; the strut joint at `radius` under the angle q + angle.
    return std::hypot(0.9 - 0.3 * std::cos(q + 0.4), 0.3 * std::sin(q + 0.4));
  };
  const double h = 1e-5;
  for (double q : {-2.0, -0.4, 0.3, 1.2}) {
    const Eigen::MatrixXd columns = positionColumns(effect, Eigen::VectorXd::Constant(1, q));
    const double slope = (length(q + h) - length(q - h)) / (2 * h);
    EXPECT_NEAR(columns(0, 0), slope, 1e-9);
    EXPECT_NEAR(columns(0, 1), slope * length(q), 1e-9);
  }
}

}  // namespace
}  // namespace dynid
