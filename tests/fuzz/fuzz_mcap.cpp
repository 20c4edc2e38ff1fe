// links: bags
#include "dynid/bags/mcap.h"

#include "fuzz/read_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readMessages([&](BagScan& scan) {
    MemoryBytes bytes({data, size});
    readMcap(bytes, scan);
  });
}
