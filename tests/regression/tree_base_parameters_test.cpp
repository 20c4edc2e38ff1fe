// Compares the base parameters from the structure of a tree with those from random rows; the two
// methods have no code in common.
#include "dynid/regression/tree_base_parameters.h"

#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#include "regression/drive_layout.h"
#include "support/random_robot.h"
#include <stdexcept>

namespace dynid {
namespace {

void expectSame(const Robot& robot, bool drives, bool at_rest) {
  const ParameterLayout layout = layoutOf(robot, drives);
  ASSERT_TRUE(hasTreeStructure(robot, layout));
  RandomStates states;
  states.at_rest = at_rest;
  const BaseParameters sampled = baseParameters(randomStateRows(robot, layout, states));
  const BaseParameters tree = treeBaseParameters(robot, layout, at_rest);
  EXPECT_EQ(tree.columns, sampled.columns);
  EXPECT_EQ(tree.rank, sampled.rank);
  ASSERT_EQ(tree.independent, sampled.independent);
  ASSERT_EQ(tree.dependent, sampled.dependent);
  ASSERT_EQ(tree.unidentifiable, sampled.unidentifiable);
  if (tree.K.size() == 0) return;
  const double scale = std::max(1.0, sampled.K.cwiseAbs().maxCoeff());
  EXPECT_LT((tree.K - sampled.K).cwiseAbs().maxCoeff(), 1e-7 * scale);
}

/// Compares both methods without the columns of the given bodies.
void expectSameWithMassless(const Robot& robot, const std::vector<int>& massless) {
  ParameterLayout layout;
  const ParameterLayout all = inertialLayout(robot);
  for (const Column& column : all.columns())
    if (std::find(massless.begin(), massless.end(), column.owner) == massless.end())
      layout.append(column);
  const BaseParameters sampled = baseParameters(randomStateRows(robot, layout));
  const BaseParameters tree = treeBaseParameters(robot, layout);
  EXPECT_EQ(tree.independent, sampled.independent);
  ASSERT_EQ(tree.dependent, sampled.dependent);
  EXPECT_EQ(tree.unidentifiable, sampled.unidentifiable);
  EXPECT_LT((tree.K - sampled.K).cwiseAbs().maxCoeff(),
            1e-7 * std::max(1.0, sampled.K.cwiseAbs().maxCoeff()));
}

void expectSameInAllWays(Robot robot, const std::string& name) {
  SCOPED_TRACE(name);
  const Eigen::Vector3d given = robot.gravity;
  for (const Eigen::Vector3d& gravity :
       std::vector<Eigen::Vector3d>{given,
                                    Eigen::Vector3d(0.0, 0.0, -9.81),
                                    Eigen::Vector3d(9.81, 0.0, 0.0),
                                    Eigen::Vector3d(0.0, 0.0, 0.0)}) {
    robot.gravity = gravity;
    expectSame(robot, false, false);
    expectSame(robot, true, false);
    if (gravity.norm() > 0.0) expectSame(robot, false, true);
  }
}

TEST(TreeBaseParameters, RandomTreesHaveThoseOfRandomRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomRobotOptions options;
    options.joints = 2 + static_cast<int>(seed % 6);
    options.mimic = 0.0;
    options.prismatic = 0.25 * static_cast<double>(seed % 5);
    options.axis_aligned = 0.5 * static_cast<double>(seed % 3);
    expectSameInAllWays(randomRobot(seed, options), "seed " + std::to_string(seed));
  }
}

TEST(TreeBaseParameters, DegenerateChainsHaveThoseOfRandomRows) {
  const Eigen::Vector3d down(0.0, 0.0, -9.81);
  ChainJoint z, beside, above, x, slide, tilted;
  beside.X_PJ.p = {1.0, 0.0, 0.0};
  above.X_PJ.p = {0.0, 0.0, 0.5};
  x.axis = Eigen::Vector3d::UnitX();
  slide.prismatic = true;
  tilted.X_PJ.R = rotationFromRpy({0.3, 0.0, 0.0});
  ChainJoint slide_x = slide;
  slide_x.axis = Eigen::Vector3d::UnitX();
  const std::vector<std::vector<ChainJoint>> chains = {{z, beside, beside},
                                                       {z, above, z},
                                                       {z, slide, beside},
                                                       {slide, slide_x, z},
                                                       {x, slide_x, slide},
                                                       {slide, z, x},
                                                       {x, z, x, beside},
                                                       {tilted, beside, tilted},
                                                       {slide, slide}};
  for (size_t i = 0; i < chains.size(); ++i)
    expectSameInAllWays(chainRobot(chains[i], down), "chain " + std::to_string(i));
}

TEST(TreeBaseParameters, RealRobotsHaveThoseOfRandomRows) {
  const std::string data = DYNID_DATASETS_DIR;
  for (const char* name : {"quickstart/arm.urdf",
                           "panda/panda.urdf",
                           "kr300/kr300.urdf",
                           "lwa3/lwa3.urdf",
                           "tiago/tiago.urdf",
                           "tx40/tx40.urdf",
                           "ur10e/ur10e.urdf",
                           "xmate7p/xmate7p.urdf"}) {
    SCOPED_TRACE(name);
    const Robot robot = loadRobot(data + "/" + name);
    if (!hasTreeStructure(robot, inertialLayout(robot))) continue;
    expectSame(robot, false, false);
    expectSame(robot, true, false);
    expectSame(robot, false, true);
  }
}

TEST(TreeBaseParameters, AtRestWithoutGravityNothingIsIdentifiable) {
  const Robot robot = chainRobot({{}, {}, {}}, Eigen::Vector3d::Zero());
  const ParameterLayout layout = inertialLayout(robot);
  const BaseParameters base = treeBaseParameters(robot, layout, true);
  EXPECT_EQ(base.rank, 0);
  EXPECT_TRUE(base.dependent.empty());
  EXPECT_EQ(std::ssize(base.unidentifiable), layout.size());
  EXPECT_EQ(base.K.rows(), 0);
}

// Some columns of a body closer to the root are not in the layout: those of a massless body.
TEST(TreeBaseParameters, WhatAMasslessBodyCannotTakeStaysInItsChild) {
  RandomRobotOptions options;
  options.joints = 5;
  options.mimic = options.branching = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    expectSameWithMassless(randomRobot(seed, options), {1, 2});
  }
}

// Three joints whose axes meet in a point, with massless bodies between them: what the third body
// can shift without an effect on them acts on the body before the first.
TEST(TreeBaseParameters, AMasslessBodyPassesAChangeOnToItsParent) {
  ChainJoint z, x, far;
  x.axis = Eigen::Vector3d::UnitX();
  far.X_PJ.p = {0.3, 0.1, 0.5};
  const Robot robot = chainRobot({z, far, x, z, far}, Eigen::Vector3d(0.0, 0.0, -9.81));
  expectSameWithMassless(robot, {1, 2});
  expectSameWithMassless(robot, {0, 1, 2});
  expectSameWithMassless(robot, {2});
}

TEST(TreeBaseParameters, ALongChainHasSevenParametersPerJoint) {
  std::vector<ChainJoint> chain(300);
  std::mt19937_64 rng(1);
  for (ChainJoint& joint : chain) {
    joint.X_PJ.R = rotationFromRpy(support::vector(rng, 1.0));
    joint.X_PJ.p = support::vector(rng, 0.2);
  }
  const Robot robot = chainRobot(chain, {2.0, 3.0, -9.0});
  const BaseParameters base = treeBaseParameters(robot, inertialLayout(robot));
  // The first joint determines only its moment about the axis and two first moments.
  EXPECT_EQ(base.rank, 7 * 300 - 4);
  EXPECT_GT(base.gap, 1e6);
}

TEST(TreeBaseParameters, RefusesRobotsOfAnotherStructure) {
  RandomRobotOptions options;
  options.mimic = 1.0;
  const Robot robot = randomRobot(1, options);
  EXPECT_FALSE(hasTreeStructure(robot, inertialLayout(robot)));
  EXPECT_THROW(treeBaseParameters(robot, inertialLayout(robot)), std::invalid_argument);
  options.mimic = 0.0;
  options.coupling = 1.0;
  const Robot coupled = randomRobot(1, options);
  EXPECT_TRUE(hasTreeStructure(coupled, layoutOf(coupled, false)));
  EXPECT_FALSE(hasTreeStructure(coupled, layoutOf(coupled, true)));
}

}  // namespace
}  // namespace dynid
