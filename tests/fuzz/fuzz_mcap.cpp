// links: bags
#include "dynid/bags/mcap.h"

#include "fuzz/read_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readMessages([&](dynid::BagScan& scan) {
    dynid::MemoryBytes bytes({data, size});
    dynid::readMcap(bytes, scan);
  });
}
