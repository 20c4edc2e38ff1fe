// links: bags
#include "dynid/bags/bag_files.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readOrRefuse([&] {
    const auto metadata = dynid::fuzz::asFile(data, size, "metadata.yaml");
    dynid::findRecording({metadata.parent_path()});
  });
}
