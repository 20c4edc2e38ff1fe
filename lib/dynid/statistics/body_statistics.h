#pragma once

#include "dynid/equations/body_sensors.h"
#include "dynid/statistics/accumulate.h"

#include <vector>

namespace dynid {

/// Appends six channels (f, n) per sensor to the statistics and fills them from its logs with the
/// equations of the body at every sample, filtered and decimated like the rows of the joints.
/// Angular accelerations that were not recorded are derived from the angular velocity.
/// @param sensors  each link once
/// @param columns  of the layout; a channel uses those on which its wrench depends
/// @param use      per log; rows without the values of a sensor are noted there
void addBodyChannels(const Robot& robot,
                     const std::vector<LogRows>& logs,
                     const std::vector<BodySensor>& sensors,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics,
                     std::vector<LogUse>& use);

}  // namespace dynid
