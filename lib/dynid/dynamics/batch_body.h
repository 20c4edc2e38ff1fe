#pragma once

#include "dynid/kernels/requests.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <array>

namespace dynid {

/// The frame in which the batch kernels represent a body. Its axes are the body's axes in cyclic
/// order, chosen so that a joint axis along +-x, +-y or +-z of the body becomes the frame's z axis.
/// The inertial parameters keep their values and are only reordered.
struct BatchFrame {
  int first = 0;           ///< axis of the body that is the frame's x; y and z follow cyclically
  bool about_z = false;    ///< the joint turns about the frame's z axis
  bool backwards = false;  ///< it turns about -z

  /// The rotation from body coordinates to coordinates in this frame, a cyclic permutation.
  Eigen::Matrix3d fromBody() const;
  /// For each of the ten inertial parameters in this frame: its index among the parameters in the
  /// body's frame.
  std::array<int, 10> components() const;
};

/// The frame for the joint of this body.
BatchFrame batchFrame(const Body& body);

/// A body in the form that the batch kernels read, without its pairs.
/// @param frame   frame of this body
/// @param parent  frame of its parent; default: the root link's frame
BatchBody batchBody(const Body& body, const BatchFrame& frame, const BatchFrame& parent);

}  // namespace dynid
