// links: logs
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/logs/base_channels.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"

#include "fuzz/input.h"
#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = dynid::fuzz::asFile(data, size, "log.h5");
  dynid::fuzz::readOrRefuse([&] { dynid::fileKind(path); });
  return dynid::fuzz::readOrRefuse([&] {
    const dynid::LogReader reader(path);
    const std::int64_t rows = std::min<std::int64_t>(reader.info().rows, 4096);
    dynid::RawBlock block;
    reader.read(0, rows, block);
    reader.read(reader.info().rows - 1, 1, block);
    dynid::BaseReader(path, reader.info().rows);
  });
}
