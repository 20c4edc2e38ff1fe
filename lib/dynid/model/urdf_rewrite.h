#pragma once

#include "dynid/spatial/inertia.h"

#include <map>
#include <set>
#include <string>

namespace dynid {

/// `<dynamics>` of a URDF joint.
struct JointDynamics {
  double damping = 0.0;   ///< [N m s/rad or N s/m]
  double friction = 0.0;  ///< [N m or N]
};

/// The user's URDF with changed inertias and friction. Every byte outside the `<inertial>` of the
/// given links and the two attributes of `<dynamics>` of the given joints stays unchanged
/// (comments, blanks, line ends, attribute order).
///
/// Inertias are written in the centre-of-mass form: c = h/m, I_C = I_O - m (|c|^2 1 - c c^T), axes
/// of the link, 17 digits. An `<inertial>` or `<dynamics>` that is missing becomes the first child
/// of its link or joint, indented like the file; a `<dynamics>` of zeros only is not added.
///
/// @param inertials  by link: the new parameters about the link's origin, in its axes; positive
/// mass, or all zero
/// @param dynamics   by joint: the new damping and friction
/// @param massless   links whose `<inertial>` is removed, because the new inertia of another link
/// includes their mass (links lumped behind fixed joints)
/// @param rotor_inertias  by joint: drive inertia [kg m^2 or kg], joint side, for
/// `<drake:rotor_inertia>` of its transmission, divided by the square of its `<drake:gear_ratio>`;
/// only joints of jointsWithTransmission
/// @throws std::invalid_argument for a name that the URDF does not have, a number that is not
/// finite, a first moment or inertia without mass; InputError for a text that is not XML
std::string rewriteUrdf(const std::string& urdf_text,
                        const std::map<std::string, InertialParameters>& inertials,
                        const std::map<std::string, JointDynamics>& dynamics,
                        const std::set<std::string>& massless = {},
                        const std::map<std::string, double>& rotor_inertias = {});

/// The joints that are the only joint of a `<transmission>` with an `<actuator>`. Drake reads a
/// drive inertia only for these. @throws InputError for a text that is not XML
std::set<std::string> jointsWithTransmission(const std::string& urdf_text);

}  // namespace dynid
