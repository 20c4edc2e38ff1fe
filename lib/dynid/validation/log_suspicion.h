#pragma once

#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <filesystem>

namespace dynid {

/// Whether the log is predicted so badly that the log may be wrong rather than the model: a
/// threshold of the verdict is exceeded, or an error (of the whole log or of a joint) is more than
/// twice that of the training logs.
bool isSuspicious(const Model& model,
                  const ValidationThresholds& thresholds,
                  const ValidationResult& result);

/// Findings of the diagnosis (see diagnose) about a log that is suspicious: reversed signs,
/// exchanged columns, wrong units and zero positions, late efforts. Findings that concern
/// identification only, such as too little motion, are left out. Before them stand joints that the
/// model holds fixed and that move, or are elsewhere, in the log (auditHeldJoints), positions that
/// jump and efforts with spikes. A warning of late efforts is left out where the model predicts no
/// joint better with these delays, or half of them. A log that the audit of its signals refuses is
/// not diagnosed; the refusals are returned instead.
/// @param scores  of the prediction, per joint
/// @throws InputError as LogReader does
std::vector<Finding> suspicionsAbout(const Model& model,
                                     const LogInput& log,
                                     const IdentificationSettings& settings,
                                     const std::vector<JointScore>& scores);

}  // namespace dynid
