// Planar arms in closed form: two equal rods (Negrean et al. 2024), prismatic and revolute joint
// (De Luca).
#include "dynid/dynamics/kinematics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/christoffel.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "oracles/every_form.h"
#include "support/random_robot.h"

namespace dynid {
namespace {

constexpr double kGravity = 9.81;

// A thin rod along x with finite thickness; parameters that planar motion does not depend on are
// those of a possible body.
InertialParameters rod(double mass, double length) {
  const double across = mass * length * length / 12.0;
  return inertialFromCenterOfMass(
      mass, {length / 2, 0.0, 0.0}, Eigen::Vector3d(0.1 * across, across, across).asDiagonal());
}

struct Planar2R {
  double M = 1.7, l = 0.6;
  Robot robot;
  Eigen::VectorXd pi{20};
  Planar2R() {
    ChainJoint second;
    second.X_PJ.p = {l, 0.0, 0.0};
    robot = chainRobot({ChainJoint{}, second}, {0.0, -kGravity, 0.0});
    pi << rod(M, l), rod(M, l);
  }
};

TEST(PlanarTwoRods, EveryFormGivesTheClosedForm) {
  const Planar2R arm;
  const double ml2 = arm.M * arm.l * arm.l, mgl = arm.M * kGravity * arm.l;
  std::mt19937_64 rng(1);
  for (int i = 0; i < 10; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 2, 3.0), dq = support::vectorX(rng, 2, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 2, 5.0);
    const double c1 = std::cos(q(0)), c2 = std::cos(q(1)), s2 = std::sin(q(1));
    const double c12 = std::cos(q(0) + q(1));
    // eqs. 117, 121, 140, 141; gravity of joint 1 with the factor 1/2 that eqs. 125, 129 lost
    const Eigen::Vector2d tau(
        (5.0 / 3.0 + c2) * ml2 * ddq(0) + (1.0 / 3.0 + c2 / 2) * ml2 * ddq(1) -
            ml2 * s2 * (dq(0) * dq(1) + dq(1) * dq(1) / 2) + mgl * (1.5 * c1 + 0.5 * c12),
        (1.0 / 3.0 + c2 / 2) * ml2 * ddq(0) + ml2 / 3.0 * ddq(1) + 0.5 * ml2 * s2 * dq(0) * dq(0) +
            0.5 * mgl * c12);
    expectEveryForm(arm.robot, arm.pi, q, dq, ddq, tau);
  }
}

// A force at the tip: tau = J^T F with the tip at (l c1 + l c12, l s1 + l s12); eqs. 112, 127, 128
// print l c1 + l c2.
TEST(PlanarTwoRods, TipForceByTheJacobian) {
  const Planar2R arm;
  const Eigen::Vector2d q(0.4, -1.1), F(3.0, -7.0);
  const double l = arm.l, c1 = std::cos(q(0)), s1 = std::sin(q(0)), c12 = std::cos(q(0) + q(1)),
               s12 = std::sin(q(0) + q(1));
  const Eigen::Matrix2d tip_jacobian{{-l * s1 - l * s12, -l * s12}, {l * c1 + l * c12, l * c12}};
  const BodyJacobian J = bodyJacobians(arm.robot, q)[1];
  const Transform X_WB = bodyPoses(arm.robot, q)[1];
  for (int j = 0; j < 2; ++j) {
    const Eigen::Vector3d v = J.col(j).head<3>(), w = J.col(j).tail<3>();
    const Eigen::Vector3d tip = X_WB.R * (v + w.cross(Eigen::Vector3d(l, 0.0, 0.0)));
    EXPECT_NEAR(tip.head<2>().dot(F), tip_jacobian.col(j).dot(F), 1e-13);
  }
}

struct PrismaticRevolute {
  double m1 = 2.0, m2 = 1.3, d = 0.4, I2 = 0.07;
  Robot robot;
  Eigen::VectorXd pi{20};
  PrismaticRevolute() {
    ChainJoint slide;
    slide.axis = Eigen::Vector3d::UnitX();
    slide.prismatic = true;
    robot = chainRobot({slide, ChainJoint{}}, {0.0, 0.0, -kGravity});
    pi << inertialFromCenterOfMass(m1, {0.1, 0.2, 0.3}, Eigen::Matrix3d::Identity()),
        inertialFromCenterOfMass(m2, {d, 0.0, 0.0}, Eigen::Vector3d(0.05, 0.06, I2).asDiagonal());
  }
};

TEST(PrismaticRevoluteArm, EveryFormGivesTheClosedForm) {
  const PrismaticRevolute arm;
  std::mt19937_64 rng(2);
  for (int i = 0; i < 10; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 2, 3.0), dq = support::vectorX(rng, 2, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 2, 5.0);
    const double m2d = arm.m2 * arm.d, s2 = std::sin(q(1)), c2 = std::cos(q(1));
    const Eigen::Matrix2d B{{arm.m1 + arm.m2, -m2d * s2}, {-m2d * s2, arm.I2 + m2d * arm.d}};
    const Eigen::Vector2d c(-m2d * c2 * dq(1) * dq(1), 0.0);
    expectEveryForm(arm.robot, arm.pi, q, dq, ddq, B * ddq + c);
    EXPECT_LT((massMatrix(arm.robot, arm.pi, q) - B).norm(), 1e-14);
    const Eigen::Matrix2d S{{0.0, -m2d * c2 * dq(1)}, {0.0, 0.0}};  // Christoffel's
    EXPECT_LT((christoffelMatrix(arm.robot, arm.pi, q, dq) - S).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace dynid
