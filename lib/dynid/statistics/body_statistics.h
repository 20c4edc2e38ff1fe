#pragma once

#include "dynid/equations/body_sensors.h"
#include "dynid/statistics/accumulate.h"

#include <vector>

namespace dynid {

/// Appends six channels (f, n) for every sensor to the statistics and fills them from its logs:
/// body equations at every sample, filtered and decimated as the joints' rows are. Angular
/// accelerations that were not recorded are derived from the angular velocity.
/// @param sensors  each link once
/// @param columns  of the layout; a channel has those that its wrench depends on
void addBodyChannels(const Robot& robot,
                     const std::vector<LogRows>& logs,
                     const std::vector<BodySensor>& sensors,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics);

}  // namespace dynid
