// links: logs
// libfuzzer: -detect_leaks=0 -malloc_limit_mb=1000000
// HDF5 leaks memory when it refuses damaged files, and allocates as much as a file asks for.
#include "dynid/logs/base_channels.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"

#include "fuzz/input.h"
#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  const std::filesystem::path path = fuzz::asFile(data, size, "log.h5");
  fuzz::readOrRefuse([&] { fileKind(path); });
  return fuzz::readOrRefuse([&] {
    const LogReader reader(path);
    const std::int64_t rows = std::min<std::int64_t>(reader.info().rows, 4096);
    RawBlock block;
    reader.read(0, rows, block);
    reader.read(reader.info().rows - 1, 1, block);
    BaseReader(path, reader.info().rows);
  });
}
