#pragma once

#include "dynid/core/atomic_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Several output files that are replaced together: all are written beside their names first, and
/// renamed only when every one of them is complete. Without a commit none of them appears.
class OutputSet {
 public:
  /// Calls `writer` with the temporary name to write to. An OutputError of the writer names `path`
  /// instead of the temporary name.
  /// @throws OutputError as AtomicFile, and what the writer throws
  void write(const std::filesystem::path& path,
             const std::function<void(const std::filesystem::path& temporary)>& writer);

  /// Flushes all files to disk, then renames them one right after the other. Interruptions wait
  /// until that is done (`replacementInProgress`).
  /// @throws OutputError; the message names the files that were already replaced, if any
  void commit();

 private:
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

}  // namespace dynid
