#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/logs/trajectory_file.h"

#include <string>

namespace dynid {

/// The samples as CSV with the header "time,<joint>.position,...,<joint>.velocity,...": time, then
/// position, velocity and acceleration of every joint, in SI units with 17 digits.
std::string trajectoryCsv(const TrajectoryFile& trajectory);

/// The samples as a ROS 2 message in YAML (trajectory_msgs/msg/JointTrajectory) for `ros2 topic
/// pub`.
std::string trajectoryRos(const TrajectoryFile& trajectory);

/// Why the motion is poor and what to change, as one or two sentences with the names of the
/// settings in backticks; "" if it is not poor.
std::string poorMotionText(const ExcitationDesign& excitation);

}  // namespace dynid
