// De Luca's actuated pendulum: a link behind a gear, seen from the joint and from the motor.
#include "dynid/dynamics/joint_effects.h"
#include "dynid/dynamics/kinematics.h"
#include "dynid/dynamics/mass_matrix.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

struct Pendulum {
  double m = 3.0, d = 0.4, Il = 0.11, l = 0.9, n = 50.0, Im = 2e-4, bl = 0.3, bm = 1e-3, g0 = 9.81;
  Robot robot;
  InertialParameters pi;

  Pendulum() {
    // theta = 0 hangs down: the link along -y of its frame, the force Fx along the world's x
    robot = chainRobot({ChainJoint{}}, {0.0, -g0, 0.0});
    pi =
        inertialFromCenterOfMass(m, {0.0, -d, 0.0}, Eigen::Vector3d(Il, 0.1 * Il, Il).asDiagonal());
  }
  // (Il + m d^2 + n^2 Im) ddq + (bl + n^2 bm) dq + m g0 d sin q = n tau_m + l cos q Fx
  double acceleration(double q, double dq, double tau_m, double Fx) const {
    return (n * tau_m + l * std::cos(q) * Fx - (bl + n * n * bm) * dq - m * g0 * d * std::sin(q)) /
           (Il + m * d * d + n * n * Im);
  }
  // Joint effort of a force along x at the tip, by the Jacobian.
  double tipEffort(double q, double Fx) const {
    const Eigen::VectorXd position = Eigen::VectorXd::Constant(1, q);
    const BodyJacobian J = bodyJacobians(robot, position)[0];
    const Eigen::Vector3d v = J.col(0).head<3>(), w = J.col(0).tail<3>();
    const Eigen::Vector3d tip =
        bodyPoses(robot, position)[0].R * (v + w.cross(Eigen::Vector3d(0.0, -l, 0.0)));
    return tip.x() * Fx;
  }
};

double viscous(double coefficient, double dq) {
  EffectBlock block;
  block.dq = Eigen::VectorXd::Constant(1, dq);
  return coefficient * effectColumn(FrictionEffect::kViscous, 0.0, 0, block)(0);
}

TEST(GearedPendulum, OnTheJointsSide) {
  const Pendulum p;
  std::mt19937_64 rng(1);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 1, 3.0), dq = support::vectorX(rng, 1, 3.0);
    const double tau_m = support::uniform(rng, -1, 1), Fx = support::uniform(rng, -9, 9);
    const double effort = p.n * tau_m + p.tipEffort(q(0), Fx) - viscous(p.bl, dq(0)) -
                          viscous(p.n * p.n * p.bm, dq(0));
    const ForwardDynamics motion = forwardDynamics(p.robot,
                                                   p.pi,
                                                   Eigen::VectorXd::Constant(1, p.n * p.n * p.Im),
                                                   q,
                                                   dq,
                                                   Eigen::VectorXd::Constant(1, effort));
    ASSERT_TRUE(motion.solved);
    EXPECT_NEAR(motion.ddq(0), p.acceleration(q(0), dq(0), tau_m, Fx), 1e-11);
  }
}

// The same divided by n, in theta_m = n theta: the drive's parameters as the motor has them.
TEST(GearedPendulum, OnTheMotorsSide) {
  Pendulum p;
  p.robot.T(0, 0) = 1.0 / p.n;
  const Eigen::VectorXd Im = Eigen::VectorXd::Constant(1, p.Im);
  std::mt19937_64 rng(2);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 1, 3.0), dq = support::vectorX(rng, 1, 3.0);
    const double tau_m = support::uniform(rng, -1, 1), Fx = support::uniform(rng, -9, 9);
    const double dq_m = p.n * dq(0);
    const double mass = actuatorMassMatrix(p.robot, p.pi, Im, q)(0, 0);
    EXPECT_NEAR(mass, (p.Il + p.m * p.d * p.d) / (p.n * p.n) + p.Im, 1e-15);
    const double bias = biasForces(p.robot, p.pi, q, dq)(0) / p.n;
    const double ddq_m = (tau_m + p.tipEffort(q(0), Fx) / p.n - viscous(p.bm, dq_m) -
                          viscous(p.bl / (p.n * p.n), dq_m) - bias) /
                         mass;
    EXPECT_NEAR(ddq_m / p.n, p.acceleration(q(0), dq(0), tau_m, Fx), 1e-11);
  }
}

}  // namespace
}  // namespace dynid
