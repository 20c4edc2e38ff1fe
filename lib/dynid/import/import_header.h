#pragma once

#include "dynid/import/import_mapping.h"

#include <string>
#include <vector>

namespace dynid {

/// Recognises the columns of a log from the names in its header, if there is no mapping:
/// - time: `t`, `time`, `timestamp`, with a unit as in `time_ms`, `time [ms]`, `t (us)`; a ROS
///   stamp, `header.stamp` or `header.stamp.sec` and `header.stamp.nanosec`, is preferred if it is
///   not of another topic than the positions;
/// - channels with a joint number, counted from 0 or 1 without gaps: `q0`, `q_1`, `position[2]`,
///   `/joint_states/position[2]`, `actual_q_3` (UR RTDE), `dq0`, `qd_0`, `velocity_0`, `ddq0`,
///   `tau_0`, `tau_J[0]`, `effort_0`, `current_0`; without a number if there is one joint;
/// - channels with a joint name: `elbow_joint_position`, `/joint_states/elbow_joint/velocity`.
///
/// Units are in brackets or at the end: `q0 [deg]`, `elbow_position_deg`, `position_deg_0`. Other
/// columns are ignored. The result has no `position` if none was recognised.
/// @param header  names of the columns
/// @param joints  names given by the user; may be empty. If given, columns named after a joint,
///     alone (position) or with a word before or after it (`tau_elbow`), are recognised too
ImportMapping recogniseHeader(const std::vector<std::string>& header,
                              const std::vector<std::string>& joints = {});

}  // namespace dynid
