#pragma once

#include "dynid/robot/mjcf_element.h"
#include "dynid/spatial/transform.h"

#include <string>

namespace dynid {

/// What `<compiler>` says of numbers; several are merged, later ones win.
struct MjcfCompiler {
  bool degrees = true;  ///< `angle`
  std::string eulerseq = "xyz";
  /// `autolimits`; true by default, as in MuJoCo 3 (in MuJoCo 2 a range counts only with
  /// limited="true" or autolimits="true").
  bool autolimits = true;
  enum class InertiaFromGeom { kNever, kAlways, kAuto };
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::kAuto;
  int first_group = 0, last_group = 5;  ///< `inertiagrouprange`: geoms that count
  double total_mass = -1.0;             ///< `settotalmass` [kg]; not positive: off

  double angle(double value) const;  ///< [rad]
};

/// @throws InputError for an unknown word, coordinate="global"
MjcfCompiler readMjcfCompiler(const MjcfElement& root);

/// The rotation that quat (w x y z), axisangle, xyaxes, zaxis or euler gives: identity where none
/// of them stands there. Where an element and its class give several, the last in this order
/// counts, whoever gives it, as in MuJoCo. MJCF conventions: quaternions and axes need not be of
/// unit length; lower case letters of eulerseq rotate about the moving axes, upper case ones about
/// the fixed axes.
/// @throws InputError for one without a direction
Eigen::Matrix3d readMjcfOrientation(const MjcfElement& element, const MjcfCompiler& compiler);

/// Refuses an element that gives more than one of these itself. @throws InputError
void requireOneOrientation(const MjcfElement& element);

/// `pos` and the orientation.
Transform readMjcfPose(const MjcfElement& element, const MjcfCompiler& compiler);

/// The smallest rotation that takes the z axis to a direction.
Eigen::Matrix3d rotationToZAxis(const Eigen::Vector3d& direction);

/// Rotation of a quaternion (w, x, y, z) of any length but zero.
Eigen::Matrix3d rotationFromWxyz(const Eigen::Vector4d& quaternion);

}  // namespace dynid
