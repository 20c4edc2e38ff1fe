// Free rigid bodies: torque-free motion in Euler angles, and a sphere that rolls without slip.
#include "dynid/dynamics/kinematics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/augmented.h"
#include "dynid/formulations/kane.h"
#include "dynid/formulations/lagrange.h"
#include "dynid/formulations/maggi.h"
#include "dynid/formulations/udwadia_kalaba.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "oracles/every_form.h"
#include "support/random_robot.h"

namespace dynid {
namespace {

constexpr double kBodyMass = 1.9;
const Eigen::Vector3d kMoments(0.02, 0.035, 0.045);

/// A body at (x, y, z), oriented by body-fixed turns psi about z, theta about x, phi about y.
Robot freeBody(const Eigen::Vector3d& gravity) {
  std::vector<ChainJoint> chain(6);
  for (int i = 0; i < 3; ++i) {
    chain[i].prismatic = true;
    chain[i].axis = Eigen::Vector3d::Unit(i);
  }
  chain[4].axis = Eigen::Vector3d::UnitX();
  chain[5].axis = Eigen::Vector3d::UnitY();
  return chainRobot(chain, gravity);
}

Eigen::VectorXd freeBodyParameters() {
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(60);
  pi.tail<10>() =
      inertialFromCenterOfMass(kBodyMass, Eigen::Vector3d::Zero(), kMoments.asDiagonal());
  return pi;
}

// By hand, of the angles only: R_NB = Rz(psi) Rx(theta) Ry(phi).
Eigen::Matrix3d orientation(const Eigen::Vector3d& angles) {
  const double a = angles(0), b = angles(1), c = angles(2);
  const Eigen::Matrix3d Z{{cos(a), -sin(a), 0.0}, {sin(a), cos(a), 0.0}, {0.0, 0.0, 1.0}};
  const Eigen::Matrix3d X{{1.0, 0.0, 0.0}, {0.0, cos(b), -sin(b)}, {0.0, sin(b), cos(b)}};
  const Eigen::Matrix3d Y{{cos(c), 0.0, sin(c)}, {0.0, 1.0, 0.0}, {-sin(c), 0.0, cos(c)}};
  return Z * X * Y;
}
// w_B = E(theta, phi) (dpsi, dtheta, dphi).
Eigen::Matrix3d rates(const Eigen::Vector3d& angles) {
  const double st = sin(angles(1)), ct = cos(angles(1)), sp = sin(angles(2)), cp = cos(angles(2));
  return Eigen::Matrix3d{{-sp * ct, cp, 0.0}, {st, 0.0, 1.0}, {cp * ct, sp, 0.0}};
}
Eigen::Matrix3d ratesChange(const Eigen::Vector3d& angles, const Eigen::Vector3d& speed) {
  const double st = sin(angles(1)), ct = cos(angles(1)), sp = sin(angles(2)), cp = cos(angles(2));
  const double dt = speed(1), dp = speed(2);
  return Eigen::Matrix3d{{-cp * ct * dp + sp * st * dt, -sp * dp, 0.0},
                         {ct * dt, 0.0, 0.0},
                         {-sp * ct * dp - cp * st * dt, cp * dp, 0.0}};
}
// Euler: I dw/dt + w x I w = 0, turned into accelerations of the angles.
Eigen::VectorXd torqueFree(const Eigen::VectorXd& q, const Eigen::VectorXd& dq) {
  const Eigen::Matrix3d I = kMoments.asDiagonal(), E = rates(q.tail<3>());
  const Eigen::Vector3d speed = dq.tail<3>(), w = E * speed;
  const Eigen::Vector3d dw = -(I.inverse() * w.cross(I * w));
  Eigen::VectorXd ddq = Eigen::VectorXd::Zero(6);
  ddq.tail<3>() = E.inverse() * (dw - ratesChange(q.tail<3>(), speed) * speed);
  return ddq;
}

TEST(TorqueFreeBody, EveryFormGivesEulersEquations) {
  const Robot robot = freeBody(Eigen::Vector3d::Zero());
  std::mt19937_64 rng(1);
  for (int i = 0; i < 10; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 6, 1.0), dq = support::vectorX(rng, 6, 3.0);
    // A motion with a push, so that relative errors are defined.
    Eigen::VectorXd push = Eigen::VectorXd::Zero(6);
    push.head<3>() = support::vector(rng, 2.0);
    Eigen::VectorXd ddq = torqueFree(q, dq);
    ddq.head<3>() = push.head<3>() / kBodyMass;
    expectEveryForm(robot, freeBodyParameters(), q, dq, ddq, push, false);
  }
}

TEST(TorqueFreeBody, EnergyAndAngularMomentumStay) {
  const Robot robot = freeBody(Eigen::Vector3d::Zero());
  const Eigen::VectorXd pi = freeBodyParameters();
  const auto acceleration = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& dq) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);  // Lagrange: tau = 0
    Eigen::MatrixXd M(6, 6);
    const Eigen::VectorXd bias = lagrangeRegressor(robot, q, dq, zero) * pi;
    for (int j = 0; j < 6; ++j)
      M.col(j) = lagrangeRegressor(robot, q, dq, Eigen::VectorXd::Unit(6, j)) * pi - bias;
    return Eigen::VectorXd(M.ldlt().solve(-bias));
  };
  Eigen::VectorXd q(6), dq(6);
  q << 0.0, 0.0, 0.0, 0.3, -0.2, 0.5;
  dq << 0.4, 0.0, -0.1, 1.0, 2.0, -1.5;
  const auto momentum = [&] {
    const Eigen::Vector3d w = rates(q.tail<3>()) * dq.tail<3>();
    return Eigen::Vector3d(orientation(q.tail<3>()) * kMoments.asDiagonal() * w);
  };
  const auto kinetic = [&] {
    const Eigen::Vector3d w = rates(q.tail<3>()) * dq.tail<3>();
    return 0.5 * kBodyMass * dq.head<3>().squaredNorm() + 0.5 * w.dot(kMoments.asDiagonal() * w);
  };
  const Eigen::Vector3d first_momentum = momentum();
  const double first_energy = kinetic(), h = 1e-3;
  for (int i = 0; i < 400; ++i) {  // Runge-Kutta of fourth order
    const Eigen::VectorXd k1 = dq, l1 = acceleration(q, dq);
    const Eigen::VectorXd k2 = dq + h / 2 * l1, l2 = acceleration(q + h / 2 * k1, k2);
    const Eigen::VectorXd k3 = dq + h / 2 * l2, l3 = acceleration(q + h / 2 * k2, k3);
    const Eigen::VectorXd k4 = dq + h * l3, l4 = acceleration(q + h * k3, k4);
    q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    dq += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  // Fourth order: 400 steps of 1e-3 s at 3 rad/s have an error of about 400 (3e-3)^5.
  EXPECT_NEAR(kinetic(), first_energy, 1e-9 * first_energy);
  EXPECT_LT((momentum() - first_momentum).norm(), 1e-9 * first_momentum.norm());
}

/// The sphere on the plane z = r: velocity of the contact point, v + w_N x (-r z) = 0.
struct RollingSphere {
  double r = 0.3;
  Robot robot = freeBody({0.0, 0.0, -9.81});
  Eigen::VectorXd q{6}, dq{6};
  Eigen::MatrixXd A{3, 6};
  Eigen::VectorXd b{3};
  Eigen::Matrix3d R;
  Eigen::Vector3d w;  // angular velocity in N

  explicit RollingSphere(std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    q << support::vectorX(rng, 6, 1.0);
    const Eigen::Vector3d speed = support::vector(rng, 3.0);
    R = orientation(q.tail<3>());
    const Eigen::Matrix3d E = rates(q.tail<3>());
    w = R * E * speed;
    const Eigen::Vector3d down(0.0, 0.0, -r);
    dq << -w.cross(down), speed;
    A.leftCols<3>().setIdentity();
    A.rightCols<3>() = -skew<double>(down) * R * E;
    // b = -dA/dt dq: of w_N = R E speed the part without accelerations is R dE/dt speed (w x w = 0)
    b = -Eigen::Vector3d(Eigen::Vector3d(R * ratesChange(q.tail<3>(), speed) * speed).cross(down));
  }
  // Moments about the contact point: (I + m r^2 (1 - z z^T)) alpha = -w x I w, all in N.
  Eigen::VectorXd closedForm() const {
    const Eigen::Matrix3d I = R * kMoments.asDiagonal() * R.transpose();
    const Eigen::Matrix3d shifted =
        I + kBodyMass * r * r * Eigen::Vector3d(1.0, 1.0, 0.0).asDiagonal().toDenseMatrix();
    const Eigen::Vector3d alpha = -shifted.ldlt().solve(Eigen::Vector3d(w.cross(I * w)));
    const Eigen::Vector3d speed = dq.tail<3>();
    const Eigen::Matrix3d E = rates(q.tail<3>());
    Eigen::VectorXd ddq(6);
    ddq.head<3>() = -alpha.cross(Eigen::Vector3d(0.0, 0.0, -r));
    ddq.tail<3>() = E.inverse() * (R.transpose() * alpha - ratesChange(q.tail<3>(), speed) * speed);
    return ddq;
  }
};

TEST(RollingSphere, AugmentedMaggiKaneAndTheClosedFormAreOne) {
  const Eigen::VectorXd pi = freeBodyParameters(), zero = Eigen::VectorXd::Zero(6);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RollingSphere sphere(seed);
    ASSERT_LT((sphere.A * sphere.dq).norm(), 1e-12);
    const Eigen::VectorXd expected = sphere.closedForm();
    const ConstrainedSystem system{massMatrix(sphere.robot, pi, sphere.q),
                                   biasForces(sphere.robot, pi, sphere.q, sphere.dq),
                                   zero,
                                   sphere.A,
                                   sphere.b};
    for (const auto solve : {augmented, maggi, udwadiaKalaba}) {
      const ConstrainedMotion motion = solve(system);
      ASSERT_TRUE(motion.solved);
      EXPECT_LT((motion.ddq - expected).norm(), 1e-9 * (1.0 + expected.norm()));
      // The constraint force does no work and carries the weight.
      const Eigen::VectorXd force = sphere.A.transpose() * motion.lambda;
      EXPECT_NEAR(force.dot(sphere.dq), 0.0, 1e-10 * (1.0 + force.norm()));
      EXPECT_NEAR(motion.lambda(2), kBodyMass * 9.81, 1e-9);
    }
    // Kane: with the free speeds only, without multipliers: N^T (Y(ddq) pi) = 0 for the true
    // motion.
    const Eigen::MatrixXd N = maggiProjector(sphere.A, 6).N;
    const Eigen::VectorXd left = kaneRegressor(sphere.robot, sphere.q, sphere.dq, expected, N) * pi;
    EXPECT_LT(left.norm(), 1e-10);
  }
}

}  // namespace
}  // namespace dynid
