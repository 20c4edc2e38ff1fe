// links: logs
// libfuzzer: -max_len=1200
#include "dynid/logs/import.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dynid;
  return fuzz::readOrRefuse([&] {
    const std::filesystem::path csv = fuzz::asFile(data, size, "recording.csv");
    ImportOptions options;
    options.skip_bad_rows = true;
    options.compression = 0;
    importCsv(csv, csv.parent_path() / "recording.h5", options);
  });
}
