#pragma once

#include "dynid/spatial/inertia.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Spring of an MJCF joint: effort -stiffness (q - reference).
struct MjcfSpring {
  double stiffness = 0.0;  ///< [N m/rad or N/m]
  double reference = 0.0;  ///< [rad or m]
  bool prismatic = false;  ///< a slide: its reference is in m whatever the unit of angles is
};

/// Joint effects of an MJCF joint.
struct MjcfJointEffects {
  double damping = 0.0;                   ///< [N m s/rad or N s/m]
  double frictionloss = 0.0;              ///< [N m or N]
  double armature = 0.0;                  ///< [kg m^2 or kg]
  std::optional<MjcfSpring> spring = {};  ///< empty: the attributes of the file stay unchanged
};

/// The user's MJCF with changed inertias and joint effects. Every byte outside the `<inertial>` of
/// the given bodies and these attributes of the given joints stays unchanged: `damping`,
/// `frictionloss`, `armature`, and for a joint with a spring `stiffness` and `springref` (in the
/// file's unit of angles). The options of mjcfInertiaOptions, with which MuJoCo would not take the
/// written inertias, are removed; `inertiafromgeom="true"` becomes "auto".
///
/// Values are written at the body or joint itself, where they take precedence over default classes;
/// default classes are not changed, since other joints may use them. `<inertial>` is replaced by
/// the element of mjcfInertial; its other attributes are removed.
///
/// @param text       an MJCF without `<include>`
/// @param inertials  by body (names of mjcfNames): the new parameters about the body's origin, in
/// its axes; mass > 0, or all zero for a body that is welded to another one which includes its mass
/// @param joints     by joint (names of mjcfNames): the new joint effects
/// @param gravity    [m/s^2] written into `<option>` if the text has another one
/// @throws std::invalid_argument for a body or joint that the text does not have, or a number that
/// is not finite; InputError for a text that is not an MJCF
std::string rewriteMjcf(const std::string& text,
                        const std::map<std::string, InertialParameters>& inertials,
                        const std::map<std::string, MjcfJointEffects>& joints,
                        const std::optional<Eigen::Vector3d>& gravity = {});

/// The options of `<compiler>` that are set and change or replace the inertias of the file:
/// settotalmass, boundmass, boundinertia, balanceinertia, inertiafromgeom.
std::vector<std::string> mjcfInertiaOptions(const std::string& text);

}  // namespace dynid
