#pragma once

#include "dynid/logs/trajectory_file.h"

#include <string>

namespace dynid {

/// The samples as CSV: time, then position, velocity and acceleration of every joint, SI, 17
/// digits: "time,<joint>.position,...,<joint>.velocity,...".
std::string trajectoryCsv(const TrajectoryFile& trajectory);

/// The samples as a ROS 2 message in YAML (trajectory_msgs/msg/JointTrajectory), as `ros2 topic
/// pub` takes it.
std::string trajectoryRos(const TrajectoryFile& trajectory);

}  // namespace dynid
