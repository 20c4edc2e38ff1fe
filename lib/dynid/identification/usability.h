#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/model/model.h"
#include "dynid/signals/audit.h"

#include <string>
#include <vector>

namespace dynid {

/// Cross-validated R2 below which a joint is not identified.
inline constexpr double kNotIdentifiedR2 = 0.3;

/// Why the numbers of a model cannot be those of a machine, or its fit explains too little to be
/// used: one sentence each, with the number and what to do. Empty: nothing speaks against it.
///   error        the fit leaves more than half of the effort (relative error above 0.5)
///   joints       more than half of the joints are not identified (cross-validated R2 below 0.3)
///   total mass   more than 25 times that of uniform rods of the robot's size, unless it is within
///                a factor of five of the masses of the description
///   centre       of mass of a link (of at least 5 % of the total mass) further from its joint than
///                twice the reach of the robot
///   drive        inertia above 20 times the mass of uniform rods at the reach of the robot
/// Masses, centres and drives are judged for trees of at least four bodies: rods say nothing of
/// others.
std::vector<std::string> implausibilities(const Model& model);

/// Which joints' predicted efforts may be used: not those whose effort the logs do not explain
/// (cross-validated R2 below 0.3), nor those whose drive inertia is implausible.
std::vector<JointStatus> jointStatuses(const Model& model);

/// What limits the use of a model that may be used, one sentence each: an unknown common scale,
/// joints that must not be used, parameters that the logs say nothing about, a poor excitation
/// (condition number above 1000; less than 0.1 s of motion per identified combination), and bounds
/// of the program's own making that raise the squared error by more than 15 %.
/// @param diagnoses  one per log: how long the logs are, and how often the joints turn in them
std::vector<std::string> reservations(const Model& model, const std::vector<Diagnosis>& diagnoses);

/// The status with everything that speaks against the model: its own reason, mistakes that the
/// diagnosis or the audit would refuse (the run was forced), implausible numbers; and, where it may
/// be used, its reservations.
/// @param audits  per log, as Identification::audits
ModelStatus judgedStatus(const Model& model,
                         const std::vector<std::vector<Finding>>& audits,
                         const std::vector<Diagnosis>& diagnoses = {});

}  // namespace dynid
