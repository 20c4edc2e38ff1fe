#pragma once

#include "dynid/kernels/requests.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <array>

namespace dynid {

/// The frame in which the batch kernels see a body: its axes in turn, so that a joint axis along x,
/// y or z of the body (either way) is the kernel's z. Parameters keep their values and only change
/// places.
struct BatchFrame {
  int first = 0;           ///< the body's axis that is the frame's x; y and z follow in turn
  bool about_z = false;    ///< the joint turns about the frame's z ...
  bool backwards = false;  ///< ... against it

  /// Coordinates in the body's frame to those in this one: a cyclic permutation.
  Eigen::Matrix3d fromBody() const;
  /// Components 0 to 9 of a body's inertial parameters in this frame: their places in the body's.
  std::array<int, 10> components() const;
};

/// The frame that suits a body's joint.
BatchFrame batchFrame(const Body& body);

/// A body as the batch kernels see it, without its pairs.
/// @param parent  its parent's frame; default the root link's
BatchBody batchBody(const Body& body, const BatchFrame& own, const BatchFrame& parent);

}  // namespace dynid
