// links: statistics
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/statistics/statistics_file.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] { readStatistics(fuzz::asFile(data, size, "statistics.h5")); });
}
