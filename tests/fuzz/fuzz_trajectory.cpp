// links: logs
#include "dynid/logs/trajectory_file.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] { readTrajectory(fuzz::asFile(data, size, "trajectory.h5")); });
}
