#pragma once

#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

namespace dynid {

inline constexpr double kShortestCapsule = 0.1;  // [m]

/// A rough prior for a link of which only the geometry is known: a homogeneous solid capsule
/// (cylinder with two hemispherical caps) of 2000 kg/m^3. Its axis runs from `from` to `to` [m,
/// link frame], usually from the link's origin to the mean of its children's origins. The radius is
/// max(0.04 m, 0.2 length).
/// @param least_length  [m] of the axis, which is extended about its middle; along z if the points
///     coincide
/// @returns the parameters about the link's origin
/// @throws std::invalid_argument if a coordinate is not finite
InertialParameters capsulePrior(const Eigen::Vector3d& from,
                                const Eigen::Vector3d& to,
                                double least_length = kShortestCapsule);

}  // namespace dynid
