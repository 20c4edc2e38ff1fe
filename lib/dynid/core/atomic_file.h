#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace dynid {

/// An output file that appears under its name only when it is complete. It is written to a
/// temporary file in the same folder and renamed by `commit()`. Without a commit it is removed by
/// the destructor, or by `removeUnfinishedFiles` if the process is interrupted.
///
/// The temporary file has a random name and is created exclusively (O_EXCL, O_NOFOLLOW), so that
/// nobody else can create it first. An existing file keeps its permissions. If `path` is a symbolic
/// link, the file to which it points is replaced and the link is kept. Temporary files of killed
/// processes of this machine are removed by the next AtomicFile of the same name.
class AtomicFile {
 public:
  /// @throws OutputError if the folder does not exist or cannot be written, if the name belongs to
  ///     a directory, a device or a link without a target, or if the existing file is
  ///     write-protected
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The file to write to until the commit.
  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& path() const { return path_; }
  /// Flushes the file to disk, renames it and flushes the folder: `flush()`, then `replace()`.
  /// @throws OutputError, for example if the disk is full; the destination is then unchanged
  void commit();

  /// The two parts of a commit, for several files that are to be replaced together.
  /// @throws OutputError as `commit`
  void flush() const;
  void replace();

 private:
  std::filesystem::path path_;
  std::filesystem::path target_;  // path_ with symbolic links resolved
  std::filesystem::path temporary_;
  bool committed_ = false;
};

/// Removes the temporary files of all uncommitted AtomicFiles. Async-signal-safe.
void removeUnfinishedFiles() noexcept;

/// Delays the termination of the process by a signal while a set of files is renamed (see
/// OutputSet).
class ReplacementInProgress {
 public:
  ReplacementInProgress() noexcept;
  ~ReplacementInProgress();
  ReplacementInProgress(const ReplacementInProgress&) = delete;
  ReplacementInProgress& operator=(const ReplacementInProgress&) = delete;
};

/// Whether a set of files is being renamed; a signal handler then lets this finish.
/// Async-signal-safe.
bool replacementInProgress() noexcept;

}  // namespace dynid
