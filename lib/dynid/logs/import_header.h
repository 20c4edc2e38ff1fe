#pragma once

#include "dynid/logs/import_mapping.h"

#include <string>
#include <vector>

namespace dynid {

/// Recognises the columns of a log from the names in its header, where nobody gave a mapping:
/// - time: `t`, `time`, `timestamp`, with a unit as in `time_ms`, `time [ms]`, `t (us)`;
/// - channels with a number per joint, from 0 or 1 without holes: `q0`, `q_1`, `position[2]`,
/// `actual_q_3` (UR RTDE),
///   `dq0`, `qd_0`, `velocity_0`, `actual_qd_0`, `ddq0`, `tau_0`, `tau_J[0]`, `effort_0`,
///   `current_0`, `actual_current_0`, each with a unit in brackets at the end if any: `q0 [deg]`;
/// - channels by joint: `elbow_joint_position`, `elbow_joint/velocity`,
/// `/joint_states/elbow_joint/effort`. What else stands there is left alone. The result has no
/// `position` where none was recognised.
ImportMapping recogniseHeader(const std::vector<std::string>& names);

}  // namespace dynid
