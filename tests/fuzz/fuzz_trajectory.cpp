// links: logs hdf5::hdf5
// sources: tests/fuzz/hdf5_mutator.cpp
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000 -max_len=60000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/logs/trajectory_file.h"

#include "fuzz/hdf5_mutator.h"
#include "fuzz/input.h"

namespace {

const dynid::fuzz::Hdf5Vocabulary kVocabulary{
    {{"joint_names", {2}, {"j1", "j2"}},
     {"time", {12}},
     {"position", {12, 2}},
     {"velocity", {12, 2}},
     {"acceleration", {12, 2}},
     {"fourier/a", {2, 3}},
     {"fourier/b", {2, 3}},
     {"fourier/offset", {2}},
     {"fourier/fundamental_hz", {1}},
     {"fourier/t0_s", {1}},
     {"lead_in/coefficients", {2, 6}},
     {"lead_in/t0_s", {1}},
     {"lead_in/duration_s", {1}},
     {"lead_out/coefficients", {2, 6}},
     {"lead_out/t0_s", {1}},
     {"lead_out/duration_s", {1}}},
    {"format",
     "version",
     "robot",
     "sample_rate_hz",
     "fundamental_hz",
     "t0_s",
     "duration_s",
     "unit",
     "unit_per_joint"},
    {"j1", "j2", "", "rad", "deg", "m", "dynid-log", "dynid-trajectory"},
    ""};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned int seed) {
  return dynid::fuzz::mutateHdf5(data, size, max_size, seed, kVocabulary);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readOrRefuse(
      [&] { dynid::readTrajectory(dynid::fuzz::asFile(data, size, "trajectory.h5")); });
}
