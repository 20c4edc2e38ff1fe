// links: robot
#include "dynid/core/errors.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/mjcf.h"

#include <cstddef>
#include <cstdint>
#include <string>

// Every include returns the text itself, so that cycles and the limit of includes are tested. The
// expanded text must give the same robot or be refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  int files = 0;
  const dynid::MjcfLoader load = [&](const dynid::MjcfElement&, const std::string& name) {
    return dynid::MjcfIncluded{name + std::to_string(++files % 20), text};
  };
  try {
    const dynid::MjcfElement root = dynid::parseMjcfElements(text, "robot.xml", load);
    dynid::readMjcf(root);
    dynid::parseRobot("", dynid::mjcfText(root));
  } catch (const dynid::InputError&) {
  }
  return 0;
}
