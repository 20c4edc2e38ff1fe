#pragma once

#include <atomic>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

namespace dynid {

/// SHA-256 digests of files of any size (see sha256OfFile), computed one after the other,
/// optionally in a separate thread.
class FileDigests {
 public:
  /// @param beside  true: in a separate thread that starts at once; false: at the first call of
  ///     `of`
  FileDigests(std::vector<std::filesystem::path> paths, bool beside);
  /// Stops the computation of digests that were not requested.
  ~FileDigests();
  FileDigests(const FileDigests&) = delete;
  FileDigests& operator=(const FileDigests&) = delete;

  /// The digest of a file; waits until it is computed.
  /// @throws InputError if one of the files cannot be read
  const std::string& of(std::size_t file);

 private:
  std::atomic<bool> stop_{false};
  std::shared_future<std::vector<std::string>> digests_;
};

}  // namespace dynid
