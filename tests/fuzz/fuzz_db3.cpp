// links: bags
#include "dynid/bags/sqlite_bag.h"

#include "fuzz/input.h"
#include "fuzz/read_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] {
    const auto path = fuzz::asFile(data, size, "bag.db3");
    fuzz::readMessages(
        [&](BagScan& scan) { readSqliteBag(path, false, scan, [](std::uint64_t) {}); });
  });
}
