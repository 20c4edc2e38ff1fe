#pragma once

#include "dynid/spatial/inertia.h"

namespace dynid {

/// Radius of gyration below which a moment is zero [m].
inline constexpr double kPointRadius = 1e-6;

/// Why an inertia of a robot file cannot be used.
enum class InertialFault {
  kNone,
  kMassMissing,     ///< moments without a mass
  kNotFinite,       ///< nan or inf
  kZeroMass,        ///< moments with a mass of zero
  kNegativeMass,    ///< mass below zero
  kNegativeMoment,  ///< a principal moment about the centre of mass is negative by more than
                    ///< rounding errors
  kUnknownGeoms     ///< MJCF: the inertia would have to be computed from meshes, which are not read
};

/// Classifies a mass [kg] and an inertia about the centre of mass [kg m^2]. All zeros are not a
/// fault, because exporters write them for "unknown". A negative principal moment is taken as a
/// rounded zero if its size is below 1e-5 of the largest moment, or below mass * (1e-6 m)^2.
InertialFault faultOf(double mass, const Eigen::Matrix3d& inertia_about_com);

/// Whether the faulty link may have mass, so that the inertia of the body to which it is fixed is
/// unknown too. A link of zero mass adds nothing.
bool hidesMass(InertialFault fault);

/// The sentence for Remarks, for example "a zero mass with moments of inertia is not used: links".
const char* remarkOf(InertialFault fault);

}  // namespace dynid
