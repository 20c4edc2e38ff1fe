#include "dynid/spatial/inertia.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <numbers>

namespace dynid {
namespace {

// Mass, first moment and inertia about the origin of a body divided into small cells, independent
// of the library's formulas.
template <typename Inside>
InertialParameters summedOverCells(double mass,
                                   const Eigen::Vector3d& half,
                                   int cells,
                                   Inside inside) {
  InertialParameters pi = InertialParameters::Zero();
  double count = 0.0;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k) {
        const Eigen::Vector3d unit((i + 0.5) / cells, (j + 0.5) / cells, (k + 0.5) / cells);
        const Eigen::Vector3d r = half.cwiseProduct(2.0 * unit - Eigen::Vector3d::Ones());
        if (!inside(r)) continue;
        const Eigen::Matrix3d I = r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose();
        InertialParameters cell;
        cell << 1.0, r, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
        pi += cell;
        count += 1.0;
      }
  return pi * (mass / count);
}

TEST(Inertia, HomogeneousBoxHasTheTextbookValues) {
  const double m = 3.0, a = 0.4, b = 0.2, c = 0.6;
  const InertialParameters cells =
      summedOverCells(m, {a / 2, b / 2, c / 2}, 40, [](const Eigen::Vector3d&) { return true; });
  const Eigen::Vector3d formula(
      m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b));
  EXPECT_NEAR(inertiaTensor(cells)(0, 0), formula(0), 1e-3 * formula(0));
  EXPECT_NEAR(inertiaTensor(cells)(1, 1), formula(1), 1e-3 * formula(1));
  EXPECT_NEAR(inertiaTensor(cells)(2, 2), formula(2), 1e-3 * formula(2));
}

TEST(Inertia, HollowCylinderHasTheTextbookValues) {
  // Axis x, length h, radii a > b: Ixx = m/2 (a^2 + b^2), Iyy = Izz = m/12 (3 (a^2 + b^2) + h^2).
  const double m = 2.0, a = 0.1, b = 0.06, h = 0.5;
  const InertialParameters cells =
      summedOverCells(m, {h / 2, a, a}, 120, [&](const Eigen::Vector3d& r) {
        const double radius = std::hypot(r.y(), r.z());
        return radius <= a && radius >= b;
      });
  EXPECT_NEAR(cells(4), m / 2 * (a * a + b * b), 5e-3 * cells(4));
  EXPECT_NEAR(cells(7), m / 12 * (3 * (a * a + b * b) + h * h), 2e-3 * cells(7));
}

TEST(Inertia, ParallelAxesFollowSteiner) {
  const double m = 3.0;
  const Eigen::Vector3d c(0.1, -0.2, 0.3);
  const Eigen::Matrix3d I_c = Eigen::Vector3d(0.2, 0.3, 0.25).asDiagonal();
  const Eigen::Matrix3d I_o = inertiaTensor(inertialFromCenterOfMass(m, c, I_c));
  EXPECT_NEAR(I_o(0, 0), 0.2 + m * (0.04 + 0.09), 1e-15);
  EXPECT_NEAR(I_o(1, 1), 0.3 + m * (0.01 + 0.09), 1e-15);
  EXPECT_NEAR(I_o(2, 2), 0.25 + m * (0.01 + 0.04), 1e-15);
  EXPECT_NEAR(I_o(0, 1), m * 0.1 * 0.2, 1e-15);
  EXPECT_NEAR(I_o(1, 2), m * 0.2 * 0.3, 1e-15);
}

TEST(Inertia, CenterOfMassRoundTrip) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 100; ++i) {
    const InertialParameters pi = support::randomBody(rng);
    const CenterOfMassInertia body = centerOfMassInertia(pi);
    const InertialParameters again =
        inertialFromCenterOfMass(body.mass, body.com, body.inertia_about_com);
    EXPECT_LT((again - pi).norm(), 1e-14 * pi.norm());
  }
  EXPECT_EQ(centerOfMassInertia(InertialParameters::Zero()).com.norm(), 0.0);
}

TEST(Inertia, SeenFromAnotherFrameIsTheSameBody) {
  // The pseudo-inertia is a second moment in homogeneous coordinates: P_A = X P_B X^T.
  std::mt19937_64 rng(2);
  for (int i = 0; i < 100; ++i) {
    const InertialParameters pi = support::randomBody(rng);
    Transform X_AB;
    X_AB.R = rotationFromRpy(support::vector(rng, 3.0));
    X_AB.p = support::vector(rng, 1.0);
    Eigen::Matrix4d X = Eigen::Matrix4d::Identity();
    X.topLeftCorner<3, 3>() = X_AB.R;
    X.topRightCorner<3, 1>() = X_AB.p;
    const Eigen::Matrix4d expected = X * pseudoInertia(pi) * X.transpose();
    const InertialParameters pi_A = transformed(X_AB, pi);
    EXPECT_LT((pseudoInertia(pi_A) - expected).norm(), 1e-13 * expected.norm());
    EXPECT_LT((transformed(X_AB.inverse(), pi_A) - pi).norm(), 1e-12 * pi_A.norm());
  }
}

}  // namespace
}  // namespace dynid
