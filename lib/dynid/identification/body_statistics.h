#pragma once

#include "dynid/identification/stage.h"

#include <vector>

namespace dynid {

/// The sensors of all logs, each link once.
std::vector<BodySensor> distinctSensors(const Run& run);

/// Appends six channels (f, n) for every sensor to the statistics and fills them from its logs:
/// body equations at every sample, filtered and decimated as the joints' rows are. Angular
/// accelerations that were not recorded are derived from the angular velocity.
/// @param columns  of the layout; a channel has those that its wrench depends on
void addBodyChannels(Run& run,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics);

}  // namespace dynid
