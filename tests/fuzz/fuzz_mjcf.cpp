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
  using namespace dynid;
  const std::string text(data, data + size);
  int files = 0;
  const MjcfLoader load = [&](const MjcfElement&, const std::string& name) {
    return MjcfIncluded{name + std::to_string(++files % 20), text};
  };
  try {
    const MjcfElement root = parseMjcfElements(text, "robot.xml", load);
    readMjcf(root);
    parseRobot("", mjcfText(root));
  } catch (const InputError&) {
  }
  return 0;
}
