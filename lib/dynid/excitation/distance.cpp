#include "dynid/excitation/distance.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kTouching = 1e-12;  // [m] points closer than this coincide

Eigen::Vector3d across(const Eigen::Vector3d& d) {
  return d.norm() > kTouching ? Eigen::Vector3d(d.unitOrthogonal()) : Eigen::Vector3d::UnitZ();
}

struct OnBox {
  double distance = 0.0;
  Eigen::Vector3d nearest, normal;
};

// Signed distance of a point to a box, the nearest point of the surface, and the outward normal
// there.
OnBox pointToBox(const Eigen::Vector3d& p, const Eigen::Vector3d& half) {
  OnBox result;
  result.nearest = p.cwiseMax(-half).cwiseMin(half);
  const Eigen::Vector3d outside = p - result.nearest;
  result.distance = outside.norm();
  if (result.distance > kTouching) {
    result.normal = outside / result.distance;
    return result;
  }
  Eigen::Index axis = 0;
  result.distance = (p.cwiseAbs() - half).maxCoeff(&axis);
  result.normal = (p(axis) < 0.0 ? -1.0 : 1.0) * Eigen::Vector3d::Unit(axis);
  result.nearest = p - result.distance * result.normal;
  return result;
}

}  // namespace

Nearest nearest(const LineSegment& a, const LineSegment& b) {
  const Eigen::Vector3d u = a.to - a.from, v = b.to - b.from, r = a.from - b.from;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), ur = u.dot(r),
               vr = v.dot(r);
  const auto share = [](double x) { return std::clamp(x, 0.0, 1.0); };
  const double parallel = uu * vv - uv * uv;
  // If the segments are parallel, any s is suitable; then the best t for it, then the best s for t.
  double s = parallel > 1e-12 * uu * vv ? share((uv * vr - ur * vv) / parallel) : 0.0;
  const double t = vv > 0.0 ? share((uv * s + vr) / vv) : 0.0;
  s = uu > 0.0 ? share((uv * t - ur) / uu) : 0.0;
  Nearest result;
  result.a = a.from + s * u;
  result.b = b.from + t * v;
  const Eigen::Vector3d between = result.a - result.b;
  result.distance = between.norm();
  if (result.distance > kTouching) {
    result.normal = between / result.distance;
  } else {
    const Eigen::Vector3d cross = u.cross(v);
    result.normal =
        cross.norm() > kTouching ? Eigen::Vector3d(cross.normalized()) : across(uu > vv ? u : v);
  }
  return result;
}

Nearest nearestToBox(const LineSegment& segment, const Eigen::Vector3d& half) {
  const Eigen::Vector3d u = segment.to - segment.from;
  const auto at = [&](double s) { return pointToBox(segment.from + s * u, half); };
  constexpr double kGolden = 0.6180339887498949;
  double low = 0.0, high = 1.0;
  double inner = high - kGolden, outer = low + kGolden;
  double f_inner = at(inner).distance, f_outer = at(outer).distance;
  const double length = u.norm();
  while ((high - low) * length > 1e-9) {
    if (f_inner <= f_outer) {
      high = outer;
      outer = inner;
      f_outer = f_inner;
      inner = high - kGolden * (high - low);
      f_inner = at(inner).distance;
    } else {
      low = inner;
      inner = outer;
      f_inner = f_outer;
      outer = low + kGolden * (high - low);
      f_outer = at(outer).distance;
    }
  }
  double best = 0.5 * (low + high);
  for (const double end : {0.0, 1.0})
    if (at(end).distance < at(best).distance) best = end;
  OnBox found = at(best);
  // Inside the box, the deepest point may have the same distance to two faces. The derivative is
  // then the combination of both normals that does not change along the segment.
  const double step = 1e-8 / std::max(length, 1e-8);
  if (found.distance < 0.0 && best > step && best < 1.0 - step) {
    const Eigen::Vector3d before = at(best - step).normal, after = at(best + step).normal;
    const double down = before.dot(u), up = after.dot(u);
    if (up - down > 1e-12 * length) found.normal = (up * before - down * after) / (up - down);
  }
  return {found.distance, segment.from + best * u, found.nearest, found.normal};
}

}  // namespace dynid
