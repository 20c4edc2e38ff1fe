#pragma once

#include "dynid/robot/robot.h"
#include "dynid/statistics/gathered_statistics.h"

#include <string>

namespace dynid {

/// @param file  name of the statistics, for the message
/// @throws InputError if the statistics were gathered with another gravity than the robot's
void requireSameGravity(const Robot& robot,
                        const GatheredStatistics& gathered,
                        const std::string& file);
/// @param remedy  what the user can do about it, for the message
/// @throws InputError if the statistics were gathered with another text of the robot description
void requireSameTexts(const Robot& robot,
                      const GatheredStatistics& gathered,
                      const std::string& file,
                      const std::string& remedy);

/// Adds a note to every log of statistics that were gathered with another text of the robot
/// description and are used by force.
void noteOtherTexts(const Robot& robot, GatheredStatistics& gathered);

}  // namespace dynid
