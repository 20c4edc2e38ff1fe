#pragma once

#include "dynid/logs/import_mapping.h"

#include <string>
#include <vector>

namespace dynid {

/// Recognises the columns of a log from the names in its header, where nobody gave a mapping:
/// - time: `t`, `time`, `timestamp`, with a unit as in `time_ms`, `time [ms]`, `t (us)`; a stamp of
///   ROS, `header.stamp` or `header.stamp.sec` and `header.stamp.nanosec`, is preferred;
/// - channels with a number per joint, from 0 or 1 without holes: `q0`, `q_1`, `position[2]`,
///   `/joint_states/position[2]`, `actual_q_3` (UR RTDE), `dq0`, `qd_0`, `velocity_0`, `ddq0`,
///   `tau_0`, `tau_J[0]`, `effort_0`, `current_0`; without a number where there is one joint;
/// - channels by joint: `elbow_joint_position`, `/joint_states/elbow_joint/velocity`.
/// Units stand in brackets or at the end: `q0 [deg]`, `elbow_position_deg`, `position_deg_0`.
/// Other columns are left alone. The result has no `position` where none was recognised.
/// @param header  names of the columns
/// @param joints  names that the caller gave, or none: then also columns that are called after a
///                joint, alone (positions) or with a word before or behind (`tau_elbow`)
ImportMapping recogniseHeader(const std::vector<std::string>& header,
                              const std::vector<std::string>& joints = {});

}  // namespace dynid
