#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

namespace dynid {

/// SHA-256 of files of any size (see sha256OfFile), one after another beside the caller's work.
class FileDigests {
 public:
  /// @param beside  by a thread of its own, which begins at once; otherwise by the first who asks
  FileDigests(std::vector<std::filesystem::path> paths, bool beside);
  /// Does not wait for digests that nobody asked for.
  ~FileDigests();
  FileDigests(const FileDigests&) = delete;
  FileDigests& operator=(const FileDigests&) = delete;

  /// Waits for it. @throws InputError if one of the files cannot be read
  const std::string& of(std::size_t file);

 private:
  std::atomic<bool> stop_{false};
  std::shared_future<std::vector<std::string>> digests_;
};

}  // namespace dynid
