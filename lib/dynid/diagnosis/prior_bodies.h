#pragma once

#include "dynid/robot/robot.h"
#include "dynid/spatial/inertia.h"

#include <string>
#include <vector>

namespace dynid {

/// Sources of a prior body that is no inertial of the description.
inline constexpr const char* kCapsuleSource = "capsule";
inline constexpr const char* kMasslessSource = "massless";

/// A prior body for every link: the described `<inertial>` if it is usable as a prior, else a
/// capsule from the link's origin to the mean of its children's origins: at least 0.1 m long, and a
/// tenth of the longest chain of the robot unless an ellipsoid is given for the link. Zero for
/// massless bodies.
///
/// Placeholders of a description are replaced, because no fit reaches a real body from them; their
/// source is the capsule too:
/// - A body of less than 0.2 % of the share of its capsule's mass that the robot's median body has
///   becomes its capsule, with 1 % of that share.
/// - Where the radius of gyration about the centre of mass is below a tenth of the capsule's, or
///   below a twentieth of the distance of the centre of mass from the link's origin, the moments
///   about the centre of mass become those of a capsule: of its capsule, or of a larger one whose
///   radius of gyration is that distance.
std::vector<InertialParameters> priorBodies(const Robot& robot, std::vector<std::string>& sources);

/// [10 bodies] The inertials of the description as they are; empty where a body with mass has none.
Eigen::VectorXd describedInertials(const Robot& robot);

}  // namespace dynid
