#pragma once

#include "dynid/logs/trajectory_file.h"

#include <string>

namespace dynid {

/// The samples as CSV with the header "time,<joint>.position,...,<joint>.velocity,...": time, then
/// position, velocity and acceleration of every joint, in SI units with 17 digits.
std::string trajectoryCsv(const TrajectoryFile& trajectory);

/// The samples as a ROS 2 message in YAML (trajectory_msgs/msg/JointTrajectory) for `ros2 topic
/// pub`.
std::string trajectoryRos(const TrajectoryFile& trajectory);

}  // namespace dynid
