#include "dynid/regression/base_parameters.h"

#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#include "regression/drive_layout.h"
#include "support/random_robot.h"
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

namespace dynid {
namespace {

constexpr double kPi = std::numbers::pi;

BaseParameters baseOf(const Robot& robot, bool drives = false, bool at_rest = false) {
  RandomStates states;
  states.at_rest = at_rest;
  return baseParameters(randomStateRows(robot, layoutOf(robot, drives), states));
}

Robot planarTwoLink() {
  ChainJoint second;
  second.X_PJ.p = {1.0, 0.0, 0.0};
  return chainRobot({ChainJoint{}, second}, {0.0, 0.0, -9.81});
}

std::vector<ChainJoint> panda() {
  return {modifiedDh(0, 0, 0.333),
          modifiedDh(0, -kPi / 2, 0),
          modifiedDh(0, kPi / 2, 0.316),
          modifiedDh(0.0825, kPi / 2, 0),
          modifiedDh(-0.0825, -kPi / 2, 0.384),
          modifiedDh(0, kPi / 2, 0),
          modifiedDh(0.088, kPi / 2, 0)};
}

std::vector<ChainJoint> iiwa() {
  return {modifiedDh(0, 0, 0.36),
          modifiedDh(0, -kPi / 2, 0),
          modifiedDh(0, kPi / 2, 0.42),
          modifiedDh(0, kPi / 2, 0),
          modifiedDh(0, -kPi / 2, 0.40),
          modifiedDh(0, -kPi / 2, 0),
          modifiedDh(0, kPi / 2, 0.126)};
}

std::vector<ChainJoint> treeOfThree() {
  ChainJoint first, second, third;
  second.X_PJ.p = {0.1, 0.2, 0.3};
  second.axis = Eigen::Vector3d::UnitY();
  third.X_PJ.p = {-0.2, 0.1, 0.25};
  third.axis = Eigen::Vector3d::UnitX();
  return {first, second, third};
}

nlohmann::json oracle() {
  const std::string folder = DYNID_ORACLE_DIR;
  if (folder.empty()) return {};
  std::ifstream file(folder + "/base_parameter_counts.json");
  return file ? nlohmann::json::parse(file) : nlohmann::json{};
}

void expectCounts(Robot robot, const nlohmann::json& counts, const std::string& name) {
  const Eigen::Vector3d tilted(2.0, 3.0, -9.0);
  const auto rank = [&robot](const Eigen::Vector3d& gravity, bool drives, bool at_rest) {
    robot.gravity = gravity;
    const BaseParameters base = baseOf(robot, drives, at_rest);
    EXPECT_GT(base.gap, 1e11);
    return base.rank;
  };
  const Eigen::Vector3d vertical(0.0, 0.0, -9.81);
  EXPECT_EQ(rank(vertical, false, false), counts["vertical"]) << name;
  EXPECT_EQ(rank(tilted, false, false), counts["tilted"]) << name;
  EXPECT_EQ(rank({9.81, 0.0, 0.0}, false, false), counts["horizontal"]) << name;
  EXPECT_EQ(rank(Eigen::Vector3d::Zero(), false, false), counts["nograv"]) << name;
  EXPECT_EQ(rank(vertical, true, false), counts["ia_vertical"]) << name;
  EXPECT_EQ(rank(tilted, true, false), counts["ia_tilted"]) << name;
  EXPECT_EQ(rank(vertical, false, true), counts["grav_static_vertical"]) << name;
  EXPECT_EQ(rank(tilted, false, true), counts["grav_static_tilted"]) << name;
}

TEST(BaseParameters, CountsOfChainsAgreeWithIndependentOnes) {
  const nlohmann::json counts = oracle();
  if (counts.is_null()) GTEST_SKIP() << "DYNID_ORACLE_DIR is not set";
  const Eigen::Vector3d down(0.0, 0.0, -9.81);
  Robot tree = chainRobot(treeOfThree(), down);
  tree.bodies[2].parent = 0;
  expectCounts(chainRobot(panda(), down), counts["Panda (mDH)"], "panda");
  expectCounts(chainRobot(iiwa(), down), counts["iiwa14 (mDH .36/.42/.40/.126)"], "iiwa");
  expectCounts(tree, counts["tree3 (z; y@(.1,.2,.3); x@(-.2,.1,.25))"], "tree");
  expectCounts(planarTwoLink(), counts["planar 2R (z,z; l=1)"], "planar 2R");
}

TEST(BaseParameters, CountsOfRealRobotsAgreeWithIndependentOnes) {
  const nlohmann::json counts = oracle();
  const std::string data = DYNID_REAL_DATA_DIR;
  if (counts.is_null() || data.empty())
    GTEST_SKIP() << "DYNID_ORACLE_DIR or DYNID_REAL_DATA_DIR is not set";
  expectCounts(loadRobot(data + "/ur10e/ur10e.urdf"), counts["UR10e (URDF)"], "ur10e");
  expectCounts(loadRobot(data + "/tx40/tx40.urdf"), counts["TX40 (URDF mdh_modified)"], "tx40");
  const Robot tiago = loadRobot(data + "/tiago/tiago.urdf");
  expectCounts(tiago, counts["TIAGo torso+arm (P+7R)"], "tiago");
  RobotOptions arm;
  arm.exclude_joints = {tiago.joints.front().name};
  expectCounts(loadRobot(data + "/tiago/tiago.urdf", arm), counts["TIAGo arm (7R)"], "tiago arm");
}

TEST(BaseParameters, PlanarTwoLinkInClosedForm) {
  // Without gravity: Izz1 + l^2 m2 (m1 does not act), mx2, my2, Izz2.
  const Robot robot = planarTwoLink();
  const ParameterLayout layout = inertialLayout(robot);
  const BaseParameters base = baseOf(robot);
  ASSERT_EQ(base.rank, 4);
  EXPECT_EQ(base.expression(0, layout), "link1.Izz + link2.m");
  EXPECT_EQ(base.expression(1, layout), "link2.mx");
  EXPECT_EQ(base.expression(2, layout), "link2.my");
  EXPECT_EQ(base.expression(3, layout), "link2.Izz");
  EXPECT_EQ(base.unidentifiable.size(), 15U);
}

TEST(BaseParameters, GroupedCoefficientsStandInTheExpression) {
  ChainJoint second;
  second.X_PJ.p = {0.25, 0.0, 0.0};
  Robot robot = chainRobot({ChainJoint{}, second}, {0.0, -9.81, 0.0});
  const BaseParameters base = baseOf(robot);
  const ParameterLayout layout = inertialLayout(robot);
  ASSERT_EQ(base.rank, 6);
  EXPECT_EQ(base.expression(0, layout), "link1.mx + 0.25 link2.m");
  EXPECT_EQ(base.expression(1, layout), "link1.my");
  EXPECT_EQ(base.expression(2, layout), "link1.Izz + 0.0625 link2.m");
}

TEST(BaseParameters, FrictionAndOffsetColumnsAreIndependent) {
  const Robot robot = randomRobot(7);
  ParameterLayout layout = layoutOf(robot, true);
  const int inertial = layout.size();
  for (int a = 0; a < robot.numJoints(); ++a)
    for (FrictionEffect effect : {FrictionEffect::kViscous, FrictionEffect::kOffset})
      layout.append(frictionColumn(robot, a, effect));
  const auto other = [&](const RandomState& state, Eigen::Ref<Eigen::MatrixXd> rows) {
    for (int a = 0; a < robot.numJoints(); ++a) {
      rows(a, inertial + 2 * a) = state.dq_actuator(a);
      rows(a, inertial + 2 * a + 1) = 1.0;
    }
  };
  const BaseParameters without = baseOf(robot, true);
  const BaseParameters with = baseParameters(randomStateRows(robot, layout, {}, other));
  EXPECT_EQ(with.rank, without.rank + 2 * robot.numJoints());
  EXPECT_THROW(randomStateRows(robot, layout), std::invalid_argument);
}

TEST(BaseParameters, ReproduceTheTorqueOfRandomTrees) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomRobotOptions options;
    options.joints = seed <= 18 ? static_cast<int>(1 + seed % 9) : 30;
    options.coupling = 0.3;
    const Robot robot = randomRobot(seed, options);
    const ParameterLayout layout = layoutOf(robot, true);
    const BaseParameters base = baseParameters(randomStateRows(robot, layout));
    EXPECT_GT(base.gap, 1e8) << "seed " << seed;
    EXPECT_EQ(base.independent.size() + base.dependent.size() + base.unidentifiable.size(),
              static_cast<size_t>(layout.size()));

    std::mt19937_64 rng(seed);
    Eigen::VectorXd pi(layout.size());
    pi << priorParameters(robot), support::vectorX(rng, robot.numJoints(), 1.0);
    RandomStates fresh;
    fresh.seed = 1000 + seed;
    fresh.samples = 20;
    const Eigen::MatrixXd rows = randomStateRows(robot, layout, fresh);
    const Eigen::VectorXd tau = rows * pi;
    const Eigen::VectorXd beta = base.combination() * pi;
    const Eigen::VectorXd from_base = rows(Eigen::all, base.independent) * beta;
    EXPECT_LT((tau - from_base).norm(), 1e-10 * tau.norm()) << "seed " << seed;
  }
}

TEST(BaseParameters, AreTheSameFromOtherStatesAndOnRepetition) {
  const Robot robot = randomRobot(3);
  const ParameterLayout layout = layoutOf(robot, true);
  RandomStates other;
  other.seed = 99;
  const BaseParameters a = baseParameters(randomStateRows(robot, layout));
  const BaseParameters b = baseParameters(randomStateRows(robot, layout));
  const BaseParameters c = baseParameters(randomStateRows(robot, layout, other));
  EXPECT_TRUE((a.K.array() == b.K.array()).all());
  EXPECT_EQ(a.independent, c.independent);
  EXPECT_EQ(a.dependent, c.dependent);
  EXPECT_LT((a.K - c.K).norm(), 1e-10 * a.K.norm());
}

TEST(BaseParameters, DoNotDependOnTheNumberOfThreads) {
  RandomRobotOptions options;
  options.joints = 9;
  options.branching = 0.5;
  const Robot robot = randomRobot(4, options);
  const ParameterLayout layout = layoutOf(robot, true);
  RandomStates states;
  const Eigen::MatrixXd rows = randomStateRows(robot, layout, states);
  const BaseParameters base = baseParameters(rows);
  states.threads = 3;
  EXPECT_EQ(rows, randomStateRows(robot, layout, states));
  EXPECT_EQ(base.K, baseParameters(rows, kStructuralTolerance, 3).K);
}

// As if these columns stood before all others.
TEST(BaseParameters, ChosenColumnsAreTestedFirst) {
  const Robot robot = chainRobot(panda(), {0.0, 0.0, -9.81});
  const ParameterLayout layout = layoutOf(robot, false);
  const Eigen::MatrixXd rows = randomStateRows(robot, layout);
  const Eigen::Index moved = 10, others = rows.cols() - moved;
  std::vector<int> first;
  for (Eigen::Index k = 0; k < moved; ++k) first.push_back(static_cast<int>(others + k));
  Eigen::MatrixXd turned(rows.rows(), rows.cols());
  turned << rows.rightCols(moved), rows.leftCols(others);
  const BaseParameters expected = baseParameters(turned);
  std::vector<int> independent;
  for (const int column : expected.independent)
    independent.push_back(static_cast<int>(column < moved ? column + others : column - moved));
  std::sort(independent.begin(), independent.end());
  const BaseParameters base = baseParameters(rows, kStructuralTolerance, 1, first);
  EXPECT_EQ(base.independent, independent);
  EXPECT_NE(base.independent, baseParameters(rows).independent);
  const Eigen::MatrixXd dependent = rows(Eigen::all, base.dependent);
  EXPECT_LT((rows(Eigen::all, base.independent) * base.K - dependent).norm(),
            1e-9 * dependent.norm());
}

Robot pandaWithAngles(double decimals, double error) {
  std::vector<ChainJoint> joints = panda();
  for (ChainJoint& joint : joints) {
    const double angle = std::atan2(joint.X_PJ.R(2, 1), joint.X_PJ.R(2, 2));
    const double written = std::round(angle * decimals) / decimals;
    joint.X_PJ.R = rotationFromRpy({written + error, 0.0, 0.0});
  }
  return chainRobot(joints, {0.0, 0.0, -9.81});
}

TEST(BaseParameters, RoundedRightAnglesDoNotAddParameters) {
  const Eigen::Index exact = baseOf(chainRobot(panda(), {0.0, 0.0, -9.81}), true).rank;
  for (const double decimals : {1e2, 1e3, 1e4})
    EXPECT_EQ(baseOf(pandaWithAngles(decimals, 0.0), true).rank, exact) << decimals;
}

TEST(BaseParameters, MeasuredAnglesNearRightOnesAreKept) {
  const Eigen::Index exact = baseOf(chainRobot(panda(), {0.0, 0.0, -9.81}), true).rank;
  EXPECT_GT(baseOf(pandaWithAngles(1e9, 6.3e-4), true).rank, exact);
}

TEST(BaseParameters, TooFewRowsAreRefused) {
  try {
    baseParameters(Eigen::MatrixXd::Ones(3, 5));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "the regressor has 3 rows of 5 columns; expected at least as many rows");
  }
}

}  // namespace
}  // namespace dynid
