#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dynid {

/// The bytes of a regular file of at most `max_bytes`.
/// @throws InputError "path: ..." if it is missing, not a regular file, unreadable or larger.
std::string readTextFile(const std::filesystem::path& path, size_t max_bytes = size_t{64} << 20);

/// @returns the size of the file in bytes
/// @throws InputError "path: ..." if it is missing or not a regular file: a directory or a pipe
std::int64_t requireRegularFile(const std::filesystem::path& path);

/// SHA-256 as 64 lower-case hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view bytes);
/// The same of a file of any size, read in blocks; empty once `stop` is set.
/// @throws InputError if it cannot be read
std::string sha256OfFile(const std::filesystem::path& path,
                         const std::atomic<bool>* stop = nullptr);

/// A file that appears only when it is complete: written beside `path` under a temporary name,
/// renamed by `commit()`, removed by the destructor otherwise (and by `removeUnfinishedFiles` when
/// the process is interrupted).
class AtomicFile {
 public:
  /// @throws OutputError if the directory does not exist or is not writable.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write until the commit.
  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& path() const { return path_; }
  /// Flushes to disk and renames. @throws OutputError (disk full, directory gone); the destination
  /// is then untouched.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Writes the whole text through an AtomicFile. @throws OutputError (also on a full disk).
void writeTextFile(const std::filesystem::path& path, std::string_view text);

/// Unlinks every AtomicFile not committed yet; callable from a signal handler (async-signal-safe).
void removeUnfinishedFiles() noexcept;

}  // namespace dynid
