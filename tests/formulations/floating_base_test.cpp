#include "dynid/formulations/floating_base.h"

#include "dynid/formulations/added_mass.h"
#include "dynid/formulations/base_joints.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

BaseMotion randomBase(std::mt19937_64& rng) {
  BaseMotion base;
  base.X_WB = {rotationFromRpy(support::vector(rng, 3.0)), support::vector(rng, 2.0)};
  base.v = support::vector(rng, 1.0);
  base.w = support::vector(rng, 2.0);
  base.dv = support::vector(rng, 5.0);
  base.dw = support::vector(rng, 5.0);
  return base;
}

TEST(BaseWrenchRows, ThreeFramesAreRelatedExactly) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Robot robot = randomRobot(seed);
    std::mt19937_64 rng(seed);
    const int n = robot.numJoints();
    const BaseMotion base = randomBase(rng);
    const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, n, 5.0);
    const Eigen::MatrixXd body = baseWrenchRows(robot, base, q, dq, ddq, BaseFrame::kBody);
    ASSERT_EQ(body.cols(), 10 * (1 + robot.numBodies()));
    for (const BaseFrame frame : {BaseFrame::kSpace, BaseFrame::kHybrid}) {
      const Eigen::MatrixXd rows = baseWrenchRows(robot, base, q, dq, ddq, frame);
      EXPECT_LT((rows - wrenchTransform(base.X_WB, frame) * body).norm(), 1e-12 * rows.norm())
          << toString(frame) << " seed " << seed;
    }
  }
}

// For a base at rest the wrench of the ground is the robot's weight.
TEST(BaseWrenchRows, AtRestTheGroundCarriesTheWeight) {
  const Robot robot = randomRobot(3);
  const int n = robot.numJoints();
  BaseMotion base;
  base.v = base.w = base.dv = base.dw = Eigen::Vector3d::Zero();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd pi(10 * (1 + robot.numBodies()));
  pi << InertialParameters::Zero(), priorParameters(robot);
  double mass = 0.0;
  for (int k = 0; k < robot.numBodies(); ++k) mass += pi(10 * (k + 1));
  const Eigen::VectorXd wrench =
      baseWrenchRows(robot, base, zero, zero, zero, BaseFrame::kSpace) * pi;
  EXPECT_LT((wrench.head<3>() + mass * robot.gravity).norm(), 1e-12 * mass);
}

TEST(BaseJoints, ComeAndGo) {
  Robot robot = randomRobot(4);
  EXPECT_FALSE(hasBaseJoints(robot));
  EXPECT_THROW(withBaseJoints(robot), std::invalid_argument);
  EXPECT_THROW(withoutBaseJoints(robot), std::invalid_argument);
  robot.floating_base = true;
  robot.root_links.emplace_back();
  robot.root_links.back().name = robot.root_link;
  const Robot expanded = withBaseJoints(robot);
  EXPECT_TRUE(hasBaseJoints(expanded));
  EXPECT_EQ(expanded.numJoints(), robot.numJoints() + 6);
  EXPECT_EQ(expanded.joints[0].name, "world.x");
  const Robot back = withoutBaseJoints(expanded);
  EXPECT_TRUE(back.floating_base);
  EXPECT_EQ(back.root_link, robot.root_link);
  EXPECT_EQ(back.jointNames(), robot.jointNames());
  ASSERT_EQ(back.numBodies(), robot.numBodies());
  for (size_t k = 0; k < robot.bodies.size(); ++k) {
    EXPECT_EQ(back.bodies[k].parent, robot.bodies[k].parent);
    EXPECT_EQ(back.bodies[k].joint, robot.bodies[k].joint);
  }
  EXPECT_EQ(back.T, robot.T);
}

Eigen::Matrix<double, 6, 6> rigidMass(const InertialParameters& pi) {
  Eigen::Matrix<double, 6, 6> M;
  const Eigen::Matrix3d H = skew<double>(pi.segment<3>(1));
  M << pi(0) * Eigen::Matrix3d::Identity(), -H, H, inertiaTensor(pi);
  return M;
}

TEST(AddedMass, OfARigidBodyIsItsInertia) {
  std::mt19937_64 rng(5);
  Robot free;
  free.gravity.setZero();
  const BaseMotion base = randomBase(rng);
  const InertialParameters pi = support::randomBody(rng);
  const Eigen::VectorXd none(0);
  const Eigen::VectorXd wrench =
      baseWrenchRows(free, base, none, none, none, BaseFrame::kBody) * pi;
  Vector6<double> z, dz;
  z << base.v, base.w;
  dz << base.dv, base.dw;
  const Eigen::Matrix<double, kAddedMassParameters, 1> parameters =
      addedMassParameters(rigidMass(pi));
  EXPECT_LT((addedMassRows(z, dz) * parameters - wrench).norm(), 1e-12 * wrench.norm());
  EXPECT_EQ(addedMassMatrix(parameters), rigidMass(pi));
}

// In an ideal fluid no energy is lost: the power of the wrench is d/dt (1/2 z.M z), for any M.
TEST(AddedMass, KeepsTheEnergy) {
  std::mt19937_64 rng(6);
  const Eigen::Matrix<double, 6, 6> root = support::vectorX(rng, 36, 1.0).reshaped(6, 6);
  const Eigen::Matrix<double, 6, 6> M = root * root.transpose();
  const Vector6<double> z = support::vectorX(rng, 6, 2.0), dz = support::vectorX(rng, 6, 5.0);
  const Vector6<double> wrench = addedMassRows(z, dz) * addedMassParameters(M);
  EXPECT_NEAR(z.dot(wrench), z.dot(M * dz), 1e-12 * std::abs(z.dot(M * dz)));
  // Unlike for a rigid body, steady motion along the axes requires a moment (Munk).
  const Vector6<double> steady = Vector6<double>::Unit(0) + 0.5 * Vector6<double>::Unit(1);
  EXPECT_GT(
      (addedMassRows(steady, Vector6<double>::Zero()) * addedMassParameters(M)).tail<3>().norm(),
      1e-3);
}

}  // namespace
}  // namespace dynid
