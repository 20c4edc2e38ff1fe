#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace dynid {

/// An output file that appears under its name only when it is complete. It is written to a
/// temporary file in the same folder, renamed by `commit()`, and removed by the destructor
/// otherwise, or by `removeUnfinishedFiles` when the process is interrupted.
///
/// The temporary file has a random name and is created exclusively, so that nobody can prepare it
/// (O_EXCL, O_NOFOLLOW). An existing file keeps its permissions. If `path` is a symbolic link, the
/// file that it points to is replaced and the link stays. Temporary files that a process of this
/// machine left behind when it was killed are removed by the next AtomicFile of the same name.
class AtomicFile {
 public:
  /// @throws OutputError if the folder does not exist or cannot be written, if the name belongs to
  /// a directory, a device or a link without a target, or if the old file is write-protected.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write until the commit.
  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& path() const { return path_; }
  /// Flushes the file to disk, renames it and flushes the folder: `flush()`, then `replace()`.
  /// @throws OutputError (disk full, folder gone); the destination is then untouched.
  void commit();

  /// The two halves of a commit, for several files that are to be replaced together.
  /// @throws OutputError as `commit`
  void flush() const;
  void replace();

 private:
  std::filesystem::path path_;
  std::filesystem::path target_;  // path_ with symbolic links followed
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Unlinks every AtomicFile not committed yet. Callable from a signal handler (async-signal-safe).
void removeUnfinishedFiles() noexcept;

/// Blocks the end of the process while a set of files is being renamed (see OutputSet).
class ReplacementInProgress {
 public:
  ReplacementInProgress() noexcept;
  ~ReplacementInProgress();
  ReplacementInProgress(const ReplacementInProgress&) = delete;
  ReplacementInProgress& operator=(const ReplacementInProgress&) = delete;
};

/// Whether a set of files is being renamed right now: a signal handler then lets that finish.
/// Callable from a signal handler.
bool replacementInProgress() noexcept;

}  // namespace dynid
