#pragma once

#include "dynid/identification/stage.h"

#include <vector>

namespace dynid {

/// Candidates without those that the run's gathered statistics lack.
/// @throws InputError where they lack a column that is not a matter of choice
std::vector<ActuatorEffects> available(const Run& run, std::vector<ActuatorEffects> effects);

/// All candidates of several stages, each once.
std::vector<ActuatorEffects> unitedEffects(const std::vector<std::vector<ActuatorEffects>>& stages);

/// One pass over everything that gathers the columns of `effects`: from here on the run needs no
/// logs. Sets `run.recorded`.
/// @param before  behind load-dependent friction
void recordStatistics(Run& run, std::vector<ActuatorEffects> effects, const Stage& before);

}  // namespace dynid
