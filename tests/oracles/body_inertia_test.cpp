// Inertia of homogeneous bodies (De Luca): box, hollow cylinder, parallel axes, Euler's matrix.
#include "dynid/formulations/energies.h"
#include "dynid/formulations/gauss.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <numbers>

namespace dynid {
namespace {

/// A body as particles: positions in the columns, and their masses.
struct Cloud {
  Eigen::Matrix3Xd places;
  Eigen::VectorXd masses;

  InertialParameters parameters(const Eigen::Vector3d& origin = Eigen::Vector3d::Zero()) const {
    InertialParameters pi = InertialParameters::Zero();
    for (Eigen::Index i = 0; i < masses.size(); ++i) {
      const Eigen::Vector3d r = places.col(i) - origin;
      const double m = masses(i);
      const Eigen::Matrix3d I =
          m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
      InertialParameters one;
      one << m, m * r, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
      pi += one;
    }
    return pi;
  }
  Eigen::Matrix3d eulerMatrix() const { return places * masses.asDiagonal() * places.transpose(); }
};

// Gauss' rule with two points per axis integrates quadratic functions over a box exactly.
Cloud box(double mass, double a, double b, double c) {
  Cloud cloud{Eigen::Matrix3Xd(3, 8), Eigen::VectorXd::Constant(8, mass / 8)};
  const double at = 0.5 / std::sqrt(3.0);
  for (int i = 0; i < 8; ++i)
    cloud.places.col(i) << ((i & 1) != 0 ? at : -at) * a, ((i & 2) != 0 ? at : -at) * b,
        ((i & 4) != 0 ? at : -at) * c;
  return cloud;
}

// Outer radius b, inner radius a, length h along x: two points along the axis; r^2 is linear in the
// area, so two points in it as well; angles of a regular polygon.
Cloud hollowCylinder(double mass, double a, double b, double h) {
  constexpr int kAngles = 6;
  Cloud cloud{Eigen::Matrix3Xd(3, 4 * kAngles), Eigen::VectorXd::Constant(4 * kAngles, mass / 24)};
  const double at = 0.5 / std::sqrt(3.0);
  int i = 0;
  for (double axial : {-at, at})
    for (double radial : {-at, at})
      for (int k = 0; k < kAngles; ++k) {
        const double r = std::sqrt(0.5 * (a * a + b * b) + radial * (a * a - b * b));
        const double angle = 2.0 * std::numbers::pi * k / kAngles;
        cloud.places.col(i++) << axial * h, r * std::cos(angle), r * std::sin(angle);
      }
  return cloud;
}

TEST(HomogeneousBox, HasTheTextbooksMoments) {
  const double m = 2.5, a = 0.3, b = 0.5, c = 0.7;
  const Eigen::Vector3d moments(b * b + c * c, a * a + c * c, a * a + b * b);
  const InertialParameters pi = box(m, a, b, c).parameters();
  EXPECT_LT((inertiaTensor(pi) - Eigen::Matrix3d((m / 12 * moments).asDiagonal())).norm(), 1e-14);
  EXPECT_GT(smallestPseudoEigenvalue(pi), 0.0);
}

TEST(HollowCylinder, HasTheTextbooksMoments) {
  const double m = 1.5, a = 0.2, b = 0.12, h = 0.6;
  const double across = m / 12 * (3 * (a * a + b * b) + h * h);
  const Eigen::Vector3d moments(m / 2 * (a * a + b * b), across, across);
  const InertialParameters pi = hollowCylinder(m, a, b, h).parameters();
  EXPECT_LT((inertiaTensor(pi) - Eigen::Matrix3d(moments.asDiagonal())).norm(), 1e-14);
  // Moved to the end: I'_zz = I_zz + m (h/2)^2.
  const InertialParameters moved = transformed({Eigen::Matrix3d::Identity(), {h / 2, 0, 0}}, pi);
  EXPECT_NEAR(moved(9), across + m * h * h / 4, 1e-14);
}

// Parallel axis theorem between two points neither of which is the centre of mass, with rotated
// axes.
TEST(ParallelAxes, AndTheirGeneralisation) {
  std::mt19937_64 rng(1);
  Cloud cloud = box(2.0, 0.3, 0.4, 0.5);
  cloud.places.colwise() += Eigen::Vector3d(0.1, -0.2, 0.3);
  const Transform X_AB{rotationFromRpy(support::vector(rng, 3.0)), support::vector(rng, 1.0)};
  Cloud seen = cloud;
  seen.places = (X_AB.R * cloud.places).colwise() + X_AB.p;
  EXPECT_LT((transformed(X_AB, cloud.parameters()) - seen.parameters()).norm(), 1e-13);
  const CenterOfMassInertia central = centerOfMassInertia(cloud.parameters());
  EXPECT_LT((central.com - Eigen::Vector3d(0.1, -0.2, 0.3)).norm(), 1e-14);
  EXPECT_LT(
      (central.inertia_about_com - inertiaTensor(box(2.0, 0.3, 0.4, 0.5).parameters())).norm(),
      1e-14);
}

// J = int r r^T dm: I = tr(J) 1 - J and J = tr(I)/2 1 - I. J is a block of the pseudo-inertia, and
// the kinetic energy of a rotation is 1/2 tr([w]x J [w]x^T).
TEST(EulersMatrix, IsTheSecondMomentBlock) {
  std::mt19937_64 rng(2);
  Cloud cloud = hollowCylinder(1.1, 0.2, 0.1, 0.5);
  cloud.places.colwise() += Eigen::Vector3d(0.3, 0.1, -0.2);
  const Eigen::Matrix3d J = cloud.eulerMatrix(), one = Eigen::Matrix3d::Identity();
  const InertialParameters pi = cloud.parameters();
  const Eigen::Matrix3d I = inertiaTensor(pi);
  EXPECT_LT((I - (J.trace() * one - J)).norm(), 1e-14);
  EXPECT_LT((J - (0.5 * I.trace() * one - I)).norm(), 1e-14);
  const Eigen::Matrix3d block = pseudoInertia(pi).topLeftCorner<3, 3>();
  EXPECT_LT((block - J).norm(), 1e-14);
  const Eigen::Vector3d w = support::vector(rng, 3.0);
  const double trace_form = 0.5 * (skew(w) * J * skew(w).transpose()).trace();
  EXPECT_NEAR(kineticRow<double>(Eigen::Vector3d::Zero(), w).dot(pi), trace_form, 1e-13);
}

// Four equal particles equivalent to the body have the same Euler matrix.
TEST(EulersMatrix, OfEquimomentalParticles) {
  const InertialParameters pi = box(2.5, 0.3, 0.5, 0.7).parameters({0.1, 0.2, -0.3});
  const Eigen::Matrix<double, 3, 4> places = equimomentalParticles(pi);
  const Cloud four{places, Eigen::VectorXd::Constant(4, 2.5 / 4)};
  EXPECT_LT((four.parameters() - pi).norm(), 1e-14);
}

}  // namespace
}  // namespace dynid
