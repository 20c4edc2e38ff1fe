#pragma once

#include "dynid/spatial/vectors.h"

#include <Eigen/Core>

namespace dynid {

/// Pose X_AB of a frame B in a frame A: p_A = R_AB p_B + p_AoBo_A.
struct Transform {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< R_AB
  Eigen::Vector3d p = Eigen::Vector3d::Zero();      ///< p_AoBo_A [m]

  /// X_AC = X_AB X_BC.
  Transform operator*(const Transform& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Eigen::Vector3d operator*(const Eigen::Vector3d& p_B) const { return R * p_B + p; }
  /// X_BA.
  Transform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// The rotation of URDF's rpy [rad], R = Rz(yaw) Ry(pitch) Rx(roll), about fixed axes. Angles
/// within 1e-11 of a multiple of pi/2 (files contain 1.57079632679) are taken as that multiple,
/// with exact sine and cosine.
Eigen::Matrix3d rotationFromRpy(const Eigen::Vector3d& rpy);

}  // namespace dynid
