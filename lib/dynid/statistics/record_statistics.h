#pragma once

#include "dynid/statistics/gather.h"

#include <vector>

namespace dynid {

/// The candidates without those that the saved statistics of these recordings lack.
/// @throws InputError if they lack a column that must be fitted
std::vector<ActuatorEffects> available(const Recordings& recordings,
                                       std::vector<ActuatorEffects> effects);

/// The union of the candidates of several selections of friction terms. Each column occurs once and
/// is a candidate by itself.
std::vector<ActuatorEffects> unitedEffects(
    const std::vector<std::vector<ActuatorEffects>>& selections);

/// Gathers, in one pass over all recordings, the rows of the joints over the columns of `effects`.
/// Sensors on links and under the base are not included.
/// @param effects  see unitedEffects
/// @param options  equations must be inverse dynamics
RecordedStatistics recordStatistics(const Recordings& recordings,
                                    const std::vector<ActuatorEffects>& effects,
                                    const GatherOptions& options);

}  // namespace dynid
