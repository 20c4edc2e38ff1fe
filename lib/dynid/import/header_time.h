#pragma once

#include "dynid/import/header_names.h"
#include "dynid/import/import_mapping.h"

#include <vector>

namespace dynid {

/// Sets the column of times, or two with the seconds and nanoseconds of a ROS stamp, from the names
/// in the header. Preferred are the header's stamp of the topic of the positions (`header.stamp`
/// where there are no topics), then `t`, `time`, `timestamp`, then names that end in one of these
/// words.
/// @param names    of the columns
/// @param mapping  contains the columns of the positions
void recogniseTime(const std::vector<HeaderName>& names, ImportMapping& mapping);

}  // namespace dynid
