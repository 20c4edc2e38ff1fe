#pragma once

#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <filesystem>

namespace dynid {

/// Whether something was assumed, and the same about all training logs of the model.
bool hasSharedAssumptions(const Model& model);

/// What was assumed about all training logs of the model in the same way: how a log of the same
/// source has to be read for this model.
/// @throws UsageError if nothing was assumed, or not the same about all logs
LogAssumptions sharedAssumptions(const Model& model);

/// States what the assumptions of the model mean for a log that was validated: under which of them
/// it was read; or, where it was read as it is and is predicted badly, that the assumptions of the
/// model explain it (a finding at the front of `result.diagnosis`, where they halve the error).
/// @param suspicious  whether the log is predicted badly (isSuspicious)
void judgeAssumptions(const Model& model,
                      const LogInput& log,
                      const IdentificationSettings& settings,
                      bool suspicious,
                      ValidationResult& result);

/// Adds a finding ("other-delay") at the front of `result.diagnosis` where the model expects late
/// efforts (SignalSettings::effort_delay, above 5 ms) and predicts this log twice as well without
/// that delay.
void judgeDelay(const Model& model,
                const LogInput& log,
                const IdentificationSettings& settings,
                ValidationResult& result);

}  // namespace dynid
