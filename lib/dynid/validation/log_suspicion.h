#pragma once

#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <filesystem>

namespace dynid {

/// Is the log predicted badly enough to ask whether the log is wrong rather than the model: a
/// threshold of the verdict is missed, or an error (of the whole log or of a joint) is twice that
/// of the training logs?
bool isSuspicious(const Model& model,
                  const ValidationThresholds& thresholds,
                  const ValidationResult& result);

/// What the diagnosis (see diagnose) says of a log that is suspicious: reversed signs, exchanged
/// columns, wrong units and zero positions, late efforts. Findings that concern identification
/// only, as too little motion, are left out. A log that the audit of its signals refuses is not
/// diagnosed; the refusals are returned then.
/// @throws InputError as LogReader does
std::vector<Finding> suspicionsAbout(const Model& model,
                                     const std::filesystem::path& log,
                                     const IdentificationSettings& settings);

/// The name under which the model was trained on this very file (same SHA-256); "" where it was
/// not.
std::string trainingLogName(const Model& model, const std::filesystem::path& log);

}  // namespace dynid
