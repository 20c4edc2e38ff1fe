#pragma once

#include "dynid/bags/byte_stream.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dynid {

/// The header of a ROS message. Texts are views into the message's bytes.
struct RosHeader {
  std::int64_t stamp = 0;  ///< ns
  std::string_view frame;
};

/// sensor_msgs/JointState. Arrays that a publisher does not fill are empty.
struct JointStateMessage {
  RosHeader header;
  std::vector<std::string_view> names;
  std::vector<double> position, velocity, effort;  ///< rad or m, rad/s or m/s, N m or N
};

/// geometry_msgs/WrenchStamped.
struct WrenchMessage {
  RosHeader header;
  std::array<double, 6> wrench{};  ///< force [N], torque [N m]
};

/// sensor_msgs/Imu, without orientation and covariances.
struct ImuMessage {
  RosHeader header;
  std::array<double, 3> angular_velocity{}, linear_acceleration{};  ///< rad/s, m/s^2
};

/// Reads a message in the encoding "cdr" (OMG DDS-XTypes 1.3, 7.4: plain CDR of version 1 or 2, big
/// or little endian) or "ros1" (http://wiki.ros.org/msg). Lengths are checked against the number of
/// bytes before memory is allocated. `out` is overwritten.
/// @throws DamagedBytes if the bytes are not such a message
void readJointState(std::string_view encoding, Bytes bytes, JointStateMessage& out);
/// control_msgs/DynamicJointState: the interfaces position, velocity and effort of each joint. An
/// interface that one joint lacks is NaN; a channel that all joints lack is empty. Names with none
/// of these interfaces are no joints and are left out (digital outputs, force sensors).
void readDynamicJointState(std::string_view encoding, Bytes bytes, JointStateMessage& out);
void readWrench(std::string_view encoding, Bytes bytes, WrenchMessage& out);
void readImu(std::string_view encoding, Bytes bytes, ImuMessage& out);

}  // namespace dynid
