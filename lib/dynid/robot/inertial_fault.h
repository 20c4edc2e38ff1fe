#pragma once

#include "dynid/spatial/inertia.h"

namespace dynid {

/// What keeps an inertia in a robot file from being used at all.
enum class InertialFault {
  kNone,
  kMassMissing,     ///< moments without a mass
  kNotFinite,       ///< nan or inf
  kZeroMass,        ///< moments with a mass of zero
  kNegativeMass,    ///< mass below zero
  kNegativeMoment,  ///< a principal moment about the centre of mass below zero by more than
                    ///< rounding
  kUnknownGeoms     ///< MJCF: to be computed from meshes, which are not read
};

/// Judges a mass [kg] and an inertia about the centre of mass [kg m^2]; all zero is no fault
/// (exporters write it for "unknown"). A negative principal moment within 1e-5 of the largest one,
/// or of the size of mass * (1e-6 m)^2, counts as rounded zero.
InertialFault faultOf(double mass, const Eigen::Matrix3d& inertia_about_com);

/// True if mass may be hidden behind the fault, so that the body that the link is fixed to has no
/// known inertia either. A link of zero mass adds nothing to it.
bool hidesMass(InertialFault fault);

/// "a zero mass with moments of inertia is not used: links": a kind of Remarks.
const char* remarkOf(InertialFault fault);

}  // namespace dynid
