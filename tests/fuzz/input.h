#pragma once

#include "dynid/core/errors.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace dynid::fuzz {

/// A folder of this process, in memory if possible, removed at its end.
class ScratchFolder {
 public:
  ScratchFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const std::filesystem::path parent =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    path_ = parent / ("dynid-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A file with these bytes, for readers that take a path; the next call overwrites it.
inline std::filesystem::path asFile(const std::uint8_t* data, std::size_t size, const char* name) {
  static const ScratchFolder folder;
  std::filesystem::path path = folder.path() / name;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}

/// Runs a reader. It may succeed or refuse the input with an InputError; any other exception ends
/// the process, which the fuzzer reports.
template <typename Reader>
int readOrRefuse(const Reader& reader) {
  try {
    reader();
  } catch (const InputError&) {
  }
  return 0;
}

}  // namespace dynid::fuzz
