// links: logs hdf5::hdf5
// sources: tests/fuzz/hdf5_mutator.cpp
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000 -max_len=60000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/logs/base_channels.h"
#include "dynid/logs/body_channels.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/stored_rows.h"

#include "fuzz/hdf5_mutator.h"
#include "fuzz/input.h"
#include <algorithm>

namespace {

const dynid::fuzz::Hdf5Vocabulary kVocabulary{
    {{"joint_names", {2}, {"j1", "j2"}},
     {"time", {12}},
     {"position", {12, 2}},
     {"velocity", {12, 2}},
     {"acceleration", {12, 2}},
     {"effort", {12, 2}},
     {"current", {12, 2}},
     {"payload/link", {1}, {"b"}},
     {"payload/name", {1}, {"box"}},
     {"payload/mass", {1}},
     {"payload/com", {3}},
     {"payload/inertia", {6}},
     {"bodies/b/angular_velocity", {12, 3}},
     {"bodies/b/angular_acceleration", {12, 3}},
     {"bodies/b/linear_acceleration", {12, 3}},
     {"bodies/b/wrench", {12, 6}},
     {"base/pose", {12, 7}},
     {"base/twist", {12, 6}},
     {"base/wrench", {12, 6}}},
    {"format", "version", "robot", "sample_rate_hz", "gravity", "unit", "unit_per_joint", "frame"},
    {"j1",
     "j2",
     "b",
     "",
     "body",
     "rad",
     "deg",
     "m",
     "N m",
     "N, N m",
     "m, 1",
     "m/s, rad/s",
     "SI",
     "dynid-log",
     "dynid-trajectory"},
    ""};

void readAll(const std::filesystem::path& path) {
  const dynid::LogReader reader(path);
  const std::int64_t all = reader.info().rows;
  const std::int64_t rows = std::min<std::int64_t>(all, 4096);
  dynid::RawBlock block;
  reader.read(0, rows, block);
  reader.read(all - 1, 1, block);
  reader.decoded(reader.readStored(0, rows));
  dynid::fuzz::readOrRefuse([&] {
    const dynid::BaseReader base(path, all);
    base.read(0, rows);
  });
  const dynid::BodyReader bodies(path, {"b", "j1"}, all);
  for (std::size_t link = 0; link < bodies.links().size(); ++link) bodies.read(link, 0, rows);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned int seed) {
  return dynid::fuzz::mutateHdf5(data, size, max_size, seed, kVocabulary);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = dynid::fuzz::asFile(data, size, "log.h5");
  dynid::fuzz::readOrRefuse([&] { dynid::fileKind(path); });
  return dynid::fuzz::readOrRefuse([&] { readAll(path); });
}
