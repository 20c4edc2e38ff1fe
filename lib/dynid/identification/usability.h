#pragma once

#include "dynid/model/model.h"
#include "dynid/signals/audit.h"

#include <string>
#include <vector>

namespace dynid {

/// Why the numbers of a model cannot be those of a machine, or its fit explains too little to be
/// used: one sentence each, with the number and what to do. Empty: nothing speaks against it.
///   error        the fit leaves more than half of the effort (relative error above 0.5)
///   joints       more than half of the joints are not identified (cross-validated R2 below 0.3)
///   total mass   more than 25 times that of uniform rods of the robot's size, unless it is within
///   a
///                factor of five of the masses of the description
///   centre       of mass of a link (of at least 5 % of the total mass) further from its joint than
///                twice the reach of the robot
///   drive        inertia above 20 times the mass of uniform rods at the reach of the robot
/// Masses, centres and drives are judged for trees of at least four bodies: rods say nothing of
/// others.
std::vector<std::string> implausibilities(const Model& model);

/// The status with everything that speaks against the model: its own reason, mistakes that the
/// diagnosis or the audit would refuse (the run was forced), implausible numbers.
/// @param audits  per log, as Identification::audits
ModelStatus judgedStatus(const Model& model, const std::vector<std::vector<Finding>>& audits);

}  // namespace dynid
