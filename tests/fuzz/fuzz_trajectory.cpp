// links: logs
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/logs/trajectory_file.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readOrRefuse(
      [&] { dynid::readTrajectory(dynid::fuzz::asFile(data, size, "trajectory.h5")); });
}
