#pragma once

#include "dynid/statistics/gather.h"

#include <vector>

namespace dynid {

/// Candidates without those that gathered statistics lack.
/// @throws InputError where they lack a column that is not a matter of choice
std::vector<ActuatorEffects> available(const Recordings& recordings,
                                       std::vector<ActuatorEffects> effects);

/// All candidates of several choices of friction, each once and as a candidate of its own.
std::vector<ActuatorEffects> unitedEffects(
    const std::vector<std::vector<ActuatorEffects>>& candidates);

/// One pass over everything that records the joints' rows over the columns of `effects`. Sensors on
/// links and under the base are left out.
/// @param effects  see unitedEffects
/// @param options  equations: inverse dynamics
RecordedStatistics recordStatistics(const Recordings& recordings,
                                    const std::vector<ActuatorEffects>& effects,
                                    const GatherOptions& options);

}  // namespace dynid
