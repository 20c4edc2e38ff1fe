#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dynid {

/// Compares recorded positions of joints that the robot description or the command line holds fixed
/// with the value at which they are held. Another position changes the lever arms of the links
/// behind the joint. Codes of findings, both warnings: held-joint-moves (the positions of 90 % of
/// the rows spread over more than 0.05 rad or m), held-joint-elsewhere (their median is more than
/// 0.05 rad or m from the value; angles modulo a turn).
///
/// At most 200 rows, evenly distributed over [first_row, end_row), are used.
/// @return no findings for a log without columns of such joints
std::vector<Finding> auditHeldJoints(const Robot& robot,
                                     const std::filesystem::path& log,
                                     std::int64_t first_row,
                                     std::int64_t end_row);

/// Whether a finding is one of these. The equations do not hold for such a log, and what its
/// efforts say about other joints may come from that.
bool isOfHeldJoint(const Finding& finding);

}  // namespace dynid
