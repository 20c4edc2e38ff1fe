// links: robot
#include "dynid/core/errors.h"
#include "dynid/robot/load_robot.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    dynid::parseRobot("", text);
  } catch (const dynid::InputError&) {
  }
  return 0;
}
