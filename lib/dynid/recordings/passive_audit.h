#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/log_correction.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dynid {

/// Compares recorded positions of passive joints with those that follow from the driven joints by
/// closing the loops. The identification does not need these columns, but they reveal a robot
/// description with another assembly mode, zero position or sign. Codes of findings:
/// passive-mismatch (refused above 0.2 rad, or 0.2 of loopSize for lengths; a warning above a tenth
/// of that), loops-open (refused if the loops do not close in more than 5 % of the rows).
///
/// At most 200 rows, evenly distributed over [first_row, end_row), are used.
/// @param correction  of the driven joints, as the log is read; passive angles are read in degrees
///     where all driven angles are
/// @return no findings for a robot without passive joints or a log without their columns
std::vector<Finding> auditPassiveJoints(const Robot& robot,
                                        const std::filesystem::path& log,
                                        std::int64_t first_row,
                                        std::int64_t end_row,
                                        const LogCorrection& correction);

}  // namespace dynid
