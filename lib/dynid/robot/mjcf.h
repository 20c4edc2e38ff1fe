#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/mjcf_element.h"
#include "dynid/robot/tree_document.h"

#include <Eigen/Core>

#include <map>
#include <string>
#include <vector>

namespace dynid {

/// Content of an MJCF file.
struct MjcfDocument {
  TreeDocument tree;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};        ///< `<option gravity>` [m/s^2]
  std::vector<RobotDescription::LoopEntry> loops;  ///< from `connect` and `weld`
  std::map<int, std::string> names;   ///< names of links and joints, by MjcfElement::ordinal
  std::vector<std::string> actuated;  ///< joints with an actuator, directly or by a fixed tendon
};

/// Reads the robot of an MJCF model (https://mujoco.readthedocs.io, "XML Reference").
///
/// - A body is a link, named like it or "body_<n>" in the order of the file; the root link is
///   "world", or the body with a free joint. Objects of a scene are left out: bodies that float
///   and have no joints below them and, if the base of the robot floats, bodies that do not move.
///   Of a floating tree and others, the robot is the one that has more than twice the joints of all
///   others together (trees that do not float count as one). What acts on objects only is ignored.
/// - hinge is revolute, slide prismatic, `armature` the drive inertia, `frictionloss` friction.
///   Several joints of a body have massless links "<body>:<joint>" between them.
/// - q is MuJoCo's qpos: at q = ref the model is in the configuration of the file.
/// - `range` is a limit unless limited="false" (or autolimits="false" without limited="true").
/// - The effort limit is actuatorfrcrange, or what a single actuator of the joint can exert.
/// - equality joint is a mimic joint, connect a spherical cut joint, weld a fixed one.
/// - A body without `<inertial>` has the inertia of its geoms, unless they are meshes.
///
/// What the reader changes or ignores is listed in the tree's remarks.
/// @throws InputError "file:line: ..." as parseMjcfElements; for ball joints, tendons that exert
/// forces, composite and flexible bodies, plugins, unknown elements, unknown attributes of bodies,
/// joints and inertias, nonlinear joint couplings, unknown names, and two robots of which one
/// floats and none has more than twice the joints
MjcfDocument readMjcf(const MjcfElement& root);

/// The names that readMjcf gives to the bodies and joints of a text without includes, by the
/// ordinal of their elements, including elements that have no name in the text.
/// @throws InputError as readMjcf
std::map<int, std::string> mjcfNames(const std::string& text);

}  // namespace dynid
