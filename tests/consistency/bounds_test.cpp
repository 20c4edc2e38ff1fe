#include "dynid/consistency/bounds.h"

#include "dynid/spatial/inertia.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace dynid {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// A point mass of 2 kg.
InertialParameters pointMass(const Eigen::Vector3d& at) {
  return inertialFromCenterOfMass(2.0, at, Eigen::Matrix3d::Zero());
}

double excess(const BodyBound& bound, const InertialParameters& pi) {
  return bound.row.dot(pi) - bound.limit;
}

TEST(Bounds, MassLimitsHoldExactlyBetweenTheEnds) {
  const auto bounds = massBounds("link", 1.0, 3.0);
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0].name, "link mass lower");
  EXPECT_DOUBLE_EQ(excess(bounds[0], pointMass({1, 2, 3})), -1.0);
  EXPECT_DOUBLE_EQ(excess(bounds[1], pointMass({1, 2, 3})), -1.0);
  EXPECT_EQ(massBounds("link", -kUnbounded, kUnbounded).size(), 0U);
  EXPECT_THROW(massBounds("link", std::nan(""), 1.0), std::invalid_argument);
}

TEST(Bounds, ComBoxIsTheBoxOfTheCentreOfMass) {
  const auto bounds = comBoxBounds("link", {-0.1, -0.2, 0.0}, {0.1, 0.2, kUnbounded});
  ASSERT_EQ(bounds.size(), 5U);
  const auto inside = [&](const Eigen::Vector3d& com) {
    for (const BodyBound& bound : bounds)
      if (excess(bound, pointMass(com)) > 1e-12) return false;
    return true;
  };
  EXPECT_TRUE(inside({0.05, -0.19, 7.0}));
  EXPECT_FALSE(inside({0.11, 0.0, 1.0}));
  EXPECT_FALSE(inside({0.0, -0.21, 1.0}));
  EXPECT_FALSE(inside({0.0, 0.0, -0.01}));
}

TEST(Bounds, EllipsoidSeparatesPointMassesInsideFromOutside) {
  const Eigen::Vector3d center(0.0, 0.1, 0.3), radii(0.1, 0.2, 0.4);
  const BodyBound bound = ellipsoidBound("link", center, radii);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Eigen::Vector3d edge = side * radii(axis) * Eigen::Vector3d::Unit(axis);
      EXPECT_LT(excess(bound, pointMass(center + 0.99 * edge)), 0.0);
      EXPECT_NEAR(excess(bound, pointMass(center + edge)), 0.0, 1e-12);
      EXPECT_GT(excess(bound, pointMass(center + 1.01 * edge)), 0.0);
    }
  EXPECT_THROW(ellipsoidBound("link", center, {0.1, 0.0, 0.1}), std::invalid_argument);
}

TEST(Bounds, RowsLandInTheColumnsOfTheirBodies) {
  PhysicalFitProblem problem;
  problem.bodies = 3;
  problem.nonnegative = 2;
  addBodyBound(problem, 1, inertiaTraceBound("b", 4.0));
  addTotalMassBounds(problem, {0, 2}, 1.0, kUnbounded);
  ASSERT_EQ(problem.C.rows(), 2);
  ASSERT_EQ(problem.C.cols(), 32);
  EXPECT_EQ(problem.C.row(0).sum(), 3.0);
  EXPECT_EQ(problem.C(0, 14), 1.0);
  EXPECT_EQ(problem.C(1, 0), -1.0);
  EXPECT_EQ(problem.C(1, 20), -1.0);
  EXPECT_EQ(problem.d(1), -1.0);
  EXPECT_THAT(problem.bound_names, testing::ElementsAre("b inertia trace", "total mass lower"));
  EXPECT_THROW(addBodyBound(problem, 3, inertiaTraceBound("b", 4.0)), std::invalid_argument);
  EXPECT_THROW(addBound(problem, "short", Eigen::VectorXd::Zero(5), 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
