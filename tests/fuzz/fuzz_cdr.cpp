// links: bags
#include "dynid/bags/ros_messages.h"

#include <cstddef>
#include <cstdint>

// The first byte selects type and encoding, the rest is the message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const encoding = (data[0] & 4) != 0 ? "ros1" : "cdr";
  const dynid::Bytes bytes(data + 1, size - 1);
  try {
    dynid::JointStateMessage joints;
    dynid::WrenchMessage wrench;
    dynid::ImuMessage imu;
    switch (data[0] & 3) {
      case 0:
        dynid::readJointState(encoding, bytes, joints);
        break;
      case 1:
        dynid::readDynamicJointState(encoding, bytes, joints);
        break;
      case 2:
        dynid::readWrench(encoding, bytes, wrench);
        break;
      default:
        dynid::readImu(encoding, bytes, imu);
        break;
    }
  } catch (const dynid::DamagedBytes&) {
  }
  return 0;
}
