// links: import
// with libfuzzer: tests/fuzz/discarded_output.cpp
// libfuzzer: -max_len=1200
#include "dynid/import/import.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readOrRefuse([&] {
    const std::filesystem::path csv = dynid::fuzz::asFile(data, size, "recording.csv");
    dynid::ImportOptions options;
    options.skip_bad_rows = true;
    options.compression = 0;
    dynid::importCsv(csv, csv.parent_path() / "recording.h5", options);
  });
}
