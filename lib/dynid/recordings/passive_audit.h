#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dynid {

/// Compares what a log says of passive joints with what the loops make of its driven ones. Nothing
/// needs these columns, but where they are there they show that the description means another
/// assembly of the mechanism, another zero or another sign. Codes: passive-mismatch (refused beyond
/// 0.2 rad, or m as part of loopSize; a warning beyond a tenth of that), loops-open (refused where
/// the loops do not close in more than 5 % of the rows).
///
/// At most 200 rows, evenly spread over [first_row, end_row).
/// @return nothing for a robot without passive joints or a log without their columns
std::vector<Finding> auditPassiveJoints(const Robot& robot,
                                        const std::filesystem::path& log,
                                        std::int64_t first_row,
                                        std::int64_t end_row);

}  // namespace dynid
