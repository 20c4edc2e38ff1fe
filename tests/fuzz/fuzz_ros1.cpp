// links: bags
#include "dynid/bags/ros1_bag.h"

#include "fuzz/read_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readMessages([&](BagScan& scan) {
    MemoryBytes bytes({data, size});
    readRos1Bag(bytes, scan);
  });
}
