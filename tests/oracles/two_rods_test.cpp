// Two rods, a sliding mass and three springs: kinetic energy and its derivatives, and from them the
// equations of motion, derived by hand.
#include "dynid/dynamics/joint_effects.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/kane.h"
#include "dynid/formulations/lagrange.h"
#include "dynid/formulations/projection_method.h"

#include <gtest/gtest.h>

#include "oracles/every_form.h"
#include "support/random_robot.h"

namespace dynid {
namespace {

constexpr double kM = 1.3, kL = 0.7, kFall = 9.81, kKt = 4.0, kKl = 60.0;
constexpr double kI = kM * kL * kL / 12.0;  // of a rod about its centre, perpendicular to its axis
constexpr double kMu = kM / 4.0;            // mass of the slider

Eigen::Matrix3d massByHand(const Eigen::Vector3d& q) {
  const double c = cos(q(1)), s = sin(q(1)), x = q(2);
  Eigen::Matrix3d M;
  M(0, 0) = kM * kL * kL / 3 + kM * kL * kL + kI * c * c + kMu * (x * x * c * c + kL * kL);
  M(0, 1) = M(1, 0) = -kMu * kL * x * s;
  M(0, 2) = M(2, 0) = kMu * kL * c;
  M(1, 1) = kI + kMu * x * x;
  M(1, 2) = M(2, 1) = 0.0;
  M(2, 2) = kMu;
  return M;
}

// c and gravity by hand; gravity acts along N.x, V = -m g (l/2 + l) c1 - mu g (l c1 - x c2 s1).
Eigen::Vector3d biasByHand(const Eigen::Vector3d& q, const Eigen::Vector3d& dq) {
  const double c = cos(q(1)), s = sin(q(1)), x = q(2), c1 = cos(q(0)), s1 = sin(q(0));
  std::array<Eigen::Matrix3d, 3> dM;  // dM/dq_i
  for (Eigen::Matrix3d& d : dM) d.setZero();
  dM[1](0, 0) = -2.0 * c * s * (kI + kMu * x * x);
  dM[1](0, 1) = dM[1](1, 0) = -kMu * kL * x * c;
  dM[1](0, 2) = dM[1](2, 0) = -kMu * kL * s;
  dM[2](0, 0) = 2.0 * kMu * x * c * c;
  dM[2](0, 1) = dM[2](1, 0) = -kMu * kL * s;
  dM[2](1, 1) = 2.0 * kMu * x;
  Eigen::Vector3d bias(1.5 * kM * kFall * kL * s1 + kMu * kFall * (kL * s1 + x * c * c1),
                       -kMu * kFall * x * s * s1,
                       kMu * kFall * c * s1);
  for (int k = 0; k < 3; ++k) {
    const size_t at = static_cast<size_t>(k);
    for (size_t i = 0; i < 3; ++i) bias(k) += dq(static_cast<int>(i)) * dM[i].row(k).dot(dq);
    bias(k) -= 0.5 * dq.dot(dM[at] * dq);
  }
  return bias;
}

struct System {
  Robot robot;
  Eigen::VectorXd pi{30};
  System() {
    ChainJoint b, slider;
    b.X_PJ.p = {kL, 0.0, 0.0};
    b.axis = Eigen::Vector3d::UnitX();
    slider.axis = Eigen::Vector3d::UnitY();
    slider.prismatic = true;
    robot = chainRobot({ChainJoint{}, b, slider}, {kFall, 0.0, 0.0});
    pi << inertialFromCenterOfMass(
        kM, {kL / 2, 0.0, 0.0}, Eigen::Vector3d(0.0, kI, kI).asDiagonal()),
        inertialFromCenterOfMass(
            kM, Eigen::Vector3d::Zero(), Eigen::Vector3d(kI, 0.0, kI).asDiagonal()),
        inertialFromCenterOfMass(kMu, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero());
  }
};

TEST(TwoRodsAndASlidingMass, EveryFormGivesTheClosedForm) {
  const System system;
  std::mt19937_64 rng(1);
  for (int i = 0; i < 10; ++i) {
    const Eigen::Vector3d q = support::vector(rng, 1.0), dq = support::vector(rng, 2.0);
    const Eigen::Vector3d ddq = support::vector(rng, 5.0);
    const Eigen::Vector3d tau = massByHand(q) * ddq + biasByHand(q, dq);
    expectEveryForm(system.robot, system.pi, q, dq, ddq, tau, false);
  }
}

// M and the bias, springs included, by Lagrange, by Kane and by projection.
TEST(TwoRodsAndASlidingMass, MassAndBiasByThreeMethods) {
  const System system;
  PositionEffect spring;
  std::mt19937_64 rng(2);
  const Eigen::Vector3d q = support::vector(rng, 1.0), dq = support::vector(rng, 2.0);
  const Eigen::Vector3d stiffness(kKt, kKt, kKl);
  Eigen::Vector3d springs;
  for (int j = 0; j < 3; ++j)
    springs(j) = stiffness(j) * positionColumns(spring, Eigen::VectorXd::Constant(1, q(j)))(0, 0);
  const auto kane = [](const Robot& robot,
                       const Eigen::VectorXd& x,
                       const Eigen::VectorXd& dx,
                       const Eigen::VectorXd& ddx) {
    return kaneRegressor(robot, x, dx, ddx, Eigen::Matrix3d::Identity());
  };
  const auto expect_same = [&](const auto& regressor) {
    const Eigen::VectorXd bias =
        regressor(system.robot, q, dq, Eigen::Vector3d::Zero()) * system.pi;
    const Eigen::Vector3d by_hand =
        biasByHand(q, dq) + Eigen::Vector3d(kKt * q(0), kKt * q(1), kKl * q(2));
    EXPECT_LT((bias + springs - by_hand).norm(), 1e-12);
    for (int j = 0; j < 3; ++j) {
      const Eigen::VectorXd column =
          regressor(system.robot, q, dq, Eigen::Vector3d::Unit(j)) * system.pi - bias;
      EXPECT_LT((column - massByHand(q).col(j)).norm(), 1e-12);
    }
  };
  expect_same(lagrangeRegressor);
  expect_same(kane);
  expect_same(projectionRegressor);
}

}  // namespace
}  // namespace dynid
