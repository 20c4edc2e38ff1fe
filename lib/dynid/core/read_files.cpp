#include "dynid/core/read_files.h"

#include <map>
#include <mutex>
#include <sys/stat.h>
#include <utility>

namespace dynid {
namespace {

/// Global to the process, because files are read in many independent places.
struct ReadFiles {
  std::mutex mutex;
  std::map<std::pair<dev_t, ino_t>, std::filesystem::path> names;
};

ReadFiles& readFiles() {
  static ReadFiles files;
  return files;
}

std::optional<std::pair<dev_t, ino_t>> identityOf(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair{status.st_dev, status.st_ino};
}

}  // namespace

void noteReadFile(const std::filesystem::path& path) {
  const auto identity = identityOf(path);
  if (!identity) return;
  const std::lock_guard lock(readFiles().mutex);
  readFiles().names.insert_or_assign(*identity, path);
}

std::optional<std::filesystem::path> nameWhenRead(const std::filesystem::path& path) {
  const auto identity = identityOf(path);
  if (!identity) return std::nullopt;
  const std::lock_guard lock(readFiles().mutex);
  const auto found = readFiles().names.find(*identity);
  if (found == readFiles().names.end()) return std::nullopt;
  // Deleted, and its inode was reused
  if (identityOf(found->second) != identity) return std::nullopt;
  return found->second;
}

}  // namespace dynid
