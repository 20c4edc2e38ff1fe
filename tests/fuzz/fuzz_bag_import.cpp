// links: import
// with libfuzzer: tests/fuzz/discarded_output.cpp
// libfuzzer: -max_len=4000
#include "dynid/import/import_bag.h"

#include "fuzz/input.h"
#include <algorithm>
#include <string_view>

// The whole import of a recording of ROS 2 (MCAP) or ROS 1: the survey of its messages, the plan,
// and the rows that are written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view start(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 7));
  return dynid::fuzz::readOrRefuse([&] {
    const auto bag =
        dynid::fuzz::asFile(data, size, start == "#ROSBAG" ? "input.bag" : "input.mcap");
    dynid::BagImportOptions options;
    options.accept_wrong_checksums = true;
    options.compression = 0;
    try {
      dynid::importBag({bag}, bag.parent_path() / "recording.h5", options);
    } catch (const dynid::UsageError&) {  // several topics: the user has to choose one
    }
  });
}
