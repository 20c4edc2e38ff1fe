#pragma once

#include "dynid/robot/mjcf_element.h"
#include "dynid/spatial/transform.h"

#include <string>

namespace dynid {

/// The settings of `<compiler>` for numbers. If there are several, later ones override earlier
/// ones.
struct MjcfCompiler {
  bool degrees = true;       ///< `angle`
  bool angle_given = false;  ///< otherwise `degrees` is the default of the format
  std::string eulerseq = "xyz";
  /// `autolimits`; true by default, as in MuJoCo 3 (in MuJoCo 2 a range counts only with
  /// limited="true" or autolimits="true").
  bool autolimits = true;
  enum class InertiaFromGeom { kNever, kAlways, kAuto };
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::kAuto;
  int first_group = 0,
      last_group = 5;  ///< `inertiagrouprange`: groups of the geoms that contribute to inertias
  double total_mass = -1.0;  ///< `settotalmass` [kg]; not positive: unused

  double angle(double value) const;  ///< [rad]
};

/// @throws InputError for an unknown word, coordinate="global"
MjcfCompiler readMjcfCompiler(const MjcfElement& root);

/// The rotation given by quat (w x y z), axisangle, xyaxes, zaxis or euler; identity if none is
/// given. If an element and its class give several of them, the last one in this order is used, as
/// in MuJoCo. MJCF conventions: quaternions and axes need not have unit length; lower-case letters
/// of eulerseq rotate about the moving axes, upper-case letters about the fixed axes.
/// @throws InputError for a quaternion or axis of zero length
Eigen::Matrix3d readMjcfOrientation(const MjcfElement& element, const MjcfCompiler& compiler);

/// Refuses an element that gives more than one orientation itself. @throws InputError
void requireOneOrientation(const MjcfElement& element);

/// The pose from `pos` and the orientation.
Transform readMjcfPose(const MjcfElement& element, const MjcfCompiler& compiler);

/// The smallest rotation that turns the z axis to `direction`.
Eigen::Matrix3d rotationToZAxis(const Eigen::Vector3d& direction);

/// Rotation matrix of a quaternion (w, x, y, z) of any non-zero length.
Eigen::Matrix3d rotationFromWxyz(const Eigen::Vector4d& quaternion);

}  // namespace dynid
