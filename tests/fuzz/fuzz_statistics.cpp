// links: statistics
#include "dynid/statistics/statistics_file.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] { readStatistics(fuzz::asFile(data, size, "statistics.h5")); });
}
