// links: import
// libfuzzer: -max_len=1200
#include "dynid/import/import_mapping.h"

#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return dynid::fuzz::readOrRefuse(
      [&] { dynid::readImportMapping(dynid::fuzz::asFile(data, size, "mapping.toml")); });
}
