// links: robot
// libfuzzer: -entropic=1
// Without that schedule, inputs with loops, which take a hundred times as long, are chosen as often
// as others.
#include "dynid/core/errors.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/surroundings.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

// Four revolute joints in a chain with a branch, so that loops, couplings and bounds can refer to
// names.
const std::string kUrdf = [] {
  std::string text = "<robot name=\"r\"><link name=\"base\"/>";
  const char* const parents[] = {"base", "a", "b", "base"};
  const char* const links[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i + 1);
    text += std::string("<link name=\"") + links[i] + "\"/><joint name=\"j" + n +
            "\" type=\"revolute\"><parent link=\"" + parents[i] + "\"/><child link=\"" + links[i] +
            "\"/><origin xyz=\"0." + n + " 0 0.1\"/><axis xyz=\"0 1 0\"/></joint>";
  }
  return text + "</robot>";
}();

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    dynid::surroundingsOf(dynid::parseRobot(text, kUrdf), "robot.toml");
  } catch (const dynid::InputError&) {
  }
  return 0;
}
