// links: bags
#include "dynid/bags/bag_files.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] {
    const auto metadata = fuzz::asFile(data, size, "metadata.yaml");
    findRecording({metadata.parent_path()});
  });
}
