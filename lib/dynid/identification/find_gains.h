#pragma once

#include "dynid/identification/stage.h"

#include <vector>

namespace dynid {

/// Gains for recorded currents of drives without one, from a pass over the logs: their ratios from
/// the parameters that the drives share (identifyDriveGains), their scale from a described gain or
/// from a load of known mass. Fills `to_effort` of every log, and of the run what is known of the
/// scale and of the gains' spread: their standard deviation by leaving out one stretch of the logs
/// after the other (delete-a-group jackknife; NaN where there are too few blocks).
/// @throws InputError if logs of efforts and of currents without gain are mixed.
void findDriveGains(Run& run, const std::vector<ActuatorEffects>& effects);

}  // namespace dynid
