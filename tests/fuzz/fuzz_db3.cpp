// links: bags
#include "dynid/bags/sqlite_bag.h"

#include "fuzz/input.h"
#include "fuzz/read_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readOrRefuse([&] {
    const auto path = dynid::fuzz::asFile(data, size, "bag.db3");
    dynid::fuzz::readMessages([&](dynid::BagScan& scan) {
      dynid::readSqliteBag(path, false, scan, [](std::uint64_t) {});
    });
  });
}
