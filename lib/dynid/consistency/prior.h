#pragma once

#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

namespace dynid {

/// A rough prior for a link of which only the geometry is known: a homogeneous solid capsule
/// (cylinder with two hemispherical caps) of 2000 kg/m^3. Its axis runs from `from` to `to` [m,
/// link frame], usually from the link's origin to the mean of its children's origins. The axis is
/// at least 0.1 m long (extended about its middle; along z if the points coincide), the radius is
/// max(0.04 m, 0.2 length).
/// @returns the parameters about the link's origin
/// @throws std::invalid_argument if a coordinate is not finite
InertialParameters capsulePrior(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace dynid
