#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

TEST(PseudoInertia, IsTheSecondMomentOfPointMasses) {
  std::mt19937_64 rng(1);
  Eigen::Matrix4d P = Eigen::Matrix4d::Zero();
  InertialParameters pi = InertialParameters::Zero();
  for (int i = 0; i < 6; ++i) {
    const double mass = support::uniform(rng, 0.1, 2.0);
    const Eigen::Vector3d r = support::vector(rng, 0.5);
    P += mass * r.homogeneous() * r.homogeneous().transpose();
    pi += inertialFromCenterOfMass(mass, r, Eigen::Matrix3d::Zero());
  }
  EXPECT_LT((pseudoInertia(pi) - P).norm(), 1e-14 * P.norm());
  EXPECT_LT((inertialFromPseudo(P) - pi).norm(), 1e-14 * pi.norm());
}

TEST(PseudoInertia, EulerMatrixAndInertiaDetermineEachOther) {
  // J = tr(I)/2 1 - I and I = tr(J) 1 - J (dynamics of robots, exercises 1 and 2).
  std::mt19937_64 rng(2);
  const InertialParameters pi = support::randomBody(rng);
  const Eigen::Matrix3d J = pseudoInertia(pi).topLeftCorner<3, 3>();
  const Eigen::Matrix3d I = inertiaTensor(pi);
  EXPECT_LT((J - (0.5 * I.trace() * Eigen::Matrix3d::Identity() - I)).norm(), 1e-15);
  EXPECT_LT((I - (J.trace() * Eigen::Matrix3d::Identity() - J)).norm(), 1e-14);
  // Trace form of the kinetic energy of a rotation: 1/2 tr([w]x J [w]x^T) = 1/2 w . I w.
  const Eigen::Vector3d w = support::vector(rng, 2.0);
  const Eigen::Matrix3d W = skew<double>(w);
  EXPECT_NEAR((W * J * W.transpose()).trace(), w.dot(I * w), 1e-13);
}

TEST(PseudoInertia, TellsRealBodiesFromImpossibleOnes) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 100; ++i) EXPECT_GT(smallestPseudoEigenvalue(support::randomBody(rng)), 0.0);
  // Positive definite inertia, but it violates the triangle inequality.
  const InertialParameters impossible = inertialFromCenterOfMass(
      1.0, Eigen::Vector3d::Zero(), Eigen::Vector3d(1.0, 0.1, 0.1).asDiagonal());
  EXPECT_LT(smallestPseudoEigenvalue(impossible), -0.1);
  EXPECT_LT(smallestPseudoEigenvalue(-support::randomBody(rng)), 0.0);
}

TEST(Svec, KeepsTheInnerProduct) {
  std::mt19937_64 rng(4);
  const Eigen::Matrix4d A = pseudoInertia(support::randomBody(rng)),
                        B = pseudoInertia(support::randomBody(rng));
  EXPECT_NEAR(svec(A).dot(svec(B)), (A * B).trace(), 1e-13 * A.norm() * B.norm());
  EXPECT_LT((smat(svec(A)) - A).norm(), 1e-15 * A.norm());
  EXPECT_EQ(svec(A)(1), A(1, 0) * std::sqrt(2.0));
}

}  // namespace
}  // namespace dynid
