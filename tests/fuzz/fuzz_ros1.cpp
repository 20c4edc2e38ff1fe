// links: bags
#include "dynid/bags/ros1_bag.h"

#include "fuzz/read_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readMessages([&](dynid::BagScan& scan) {
    dynid::MemoryBytes bytes({data, size});
    dynid::readRos1Bag(bytes, scan);
  });
}
