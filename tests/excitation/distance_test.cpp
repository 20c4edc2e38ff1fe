#include "dynid/excitation/distance.h"

#include "dynid/math/random_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

Eigen::Vector3d randomPoint(RandomStream& random) {
  return {random.normal(), random.normal(), random.normal()};
}

LineSegment randomSegment(RandomStream& random) {
  const Eigen::Vector3d from = randomPoint(random);
  return {from, from + randomPoint(random)};
}

Eigen::Vector3d along(const LineSegment& s, double t) { return s.from + t * (s.to - s.from); }

void expectConsistent(const Nearest& found) {
  if (found.distance < 0.0) return;
  EXPECT_NEAR((found.a - found.b).dot(found.normal), found.distance, 1e-9);
  EXPECT_NEAR(found.normal.norm(), 1.0, 1e-12);
}

TEST(Nearest, SegmentsAgainstAGridOfTheirPoints) {
  RandomStream random(1, 1);
  for (int i = 0; i < 200; ++i) {
    LineSegment a = randomSegment(random), b = randomSegment(random);
    if (i % 5 == 1) b.to = b.from + 0.7 * (a.to - a.from);  // parallel
    if (i % 5 == 2) b.to = b.from;                          // a point
    if (i % 5 == 3) a.to = a.from;
    const Nearest found = nearest(a, b);
    expectConsistent(found);
    double smallest = INFINITY;
    constexpr int kGrid = 100;
    for (int s = 0; s <= kGrid; ++s)
      for (int t = 0; t <= kGrid; ++t)
        smallest =
            std::min(smallest, (along(a, s / double{kGrid}) - along(b, t / double{kGrid})).norm());
    EXPECT_LE(found.distance, smallest + 1e-12);
    // Between the points of the grid the distance is lower by at most half a step of each.
    EXPECT_GE(found.distance,
              smallest - 0.5 / kGrid * ((a.to - a.from).norm() + (b.to - b.from).norm()));
  }
}

TEST(Nearest, CrossingSegmentsPartSquareToBoth) {
  const Nearest found =
      nearest({{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, {{0.0, -1.0, 0.0}, {0.0, 1.0, 0.0}});
  EXPECT_NEAR(found.distance, 0.0, 1e-15);
  EXPECT_NEAR(std::abs(found.normal.z()), 1.0, 1e-15);
}

TEST(NearestToBox, ClosedForms) {
  const Eigen::Vector3d half(1.0, 2.0, 3.0);
  // A point next to a face, an edge and a corner; inside, the distance to the nearest face.
  const auto point = [&](double x, double y, double z) {
    return nearestToBox({{x, y, z}, {x, y, z}}, half).distance;
  };
  EXPECT_NEAR(point(1.5, 0.0, 0.0), 0.5, 1e-12);
  EXPECT_NEAR(point(4.0, 6.0, 0.0), 5.0, 1e-12);
  EXPECT_NEAR(point(2.0, 3.0, -4.0), std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(point(0.8, 0.0, 0.0), -0.2, 1e-12);
  // A segment above an edge; a segment through the centre, whose depth is that of its deepest
  // point.
  const Nearest over = nearestToBox({{-2.0, 0.0, 5.0}, {3.0, 0.0, 5.0}}, half);
  EXPECT_NEAR(over.distance, 2.0, 1e-9);
  EXPECT_NEAR(nearestToBox({{-4.0, 0.0, 0.0}, {4.0, 0.0, 0.0}}, half).distance, -1.0, 1e-9);
}

TEST(NearestToBox, AgainstPointsOfTheSegment) {
  RandomStream random(2, 1);
  const Eigen::Vector3d half(0.5, 0.2, 0.8);
  for (int i = 0; i < 300; ++i) {
    const LineSegment segment = randomSegment(random);
    const Nearest found = nearestToBox(segment, half);
    expectConsistent(found);
    double smallest = INFINITY;
    for (int s = 0; s <= 1000; ++s) {
      const Eigen::Vector3d p = along(segment, s / 1000.0);
      smallest = std::min(smallest, nearestToBox({p, p}, half).distance);
    }
    EXPECT_LE(found.distance, smallest + 1e-8);
    EXPECT_GE(found.distance, smallest - 5e-4 * (segment.to - segment.from).norm() - 1e-8);
  }
}

}  // namespace
}  // namespace dynid
