#pragma once

#include <Eigen/Core>

namespace dynid {

/// A straight piece between two points [m]; one point where both are the same.
struct LineSegment {
  Eigen::Vector3d from, to;
};

/// The nearest points of two shapes and what lies between them.
struct Nearest {
  double distance = 0.0;  ///< [m]; negative inside a box
  Eigen::Vector3d a, b;   ///< nearest points of the first and of the second
  /// The derivative: d distance = normal . (da - db) for points that move with their shapes. The
  /// unit vector from b to a; where they coincide, one along which they part; inside a box perhaps
  /// a mixture of two.
  Eigen::Vector3d normal;
};

/// Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9.
Nearest nearest(const LineSegment& a, const LineSegment& b);

/// A segment against a box, whose centre is the origin and whose axes are those of the frame. The
/// signed distance to a convex body is convex along the segment: its minimum is bracketed by golden
/// sections.
/// @param half  half of the edges
Nearest nearestToBox(const LineSegment& segment, const Eigen::Vector3d& half);

}  // namespace dynid
