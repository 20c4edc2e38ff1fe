#pragma once

#include <Eigen/Core>

namespace dynid {

/// A straight line segment between two points [m]; a point if both are equal.
struct LineSegment {
  Eigen::Vector3d from, to;  ///< end points [m]
};

/// The nearest points of two shapes and their distance.
struct Nearest {
  double distance = 0.0;  ///< [m]; negative if the segment enters the box
  Eigen::Vector3d a, b;   ///< nearest points on the first and on the second shape
  /// Derivative of the distance: d distance = normal . (da - db) for points that move with their
  /// shapes. It is the unit vector from b to a; if they coincide, a direction that separates them;
  /// inside a box possibly a combination of two face normals.
  Eigen::Vector3d normal;
};

/// Nearest points of two segments. Source: Ericson, "Real-Time Collision Detection", 2005, section
/// 5.1.9.
Nearest nearest(const LineSegment& a, const LineSegment& b);

/// Nearest points of a segment and a box that is centred at the origin and aligned with the axes.
/// The signed distance to a convex body is convex along the segment; its minimum is found by
/// golden-section search.
/// @param half  half of the edge lengths [m]
Nearest nearestToBox(const LineSegment& segment, const Eigen::Vector3d& half);

}  // namespace dynid
