#pragma once

#include "dynid/core/atomic_file.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Several output files that are replaced together. All are first written to temporary files and
/// renamed only when every one of them is complete. Without a commit none of them appears.
class OutputSet {
 public:
  /// Calls `writer` with the temporary name to which it writes. In an OutputError of the writer the
  /// temporary name is replaced by `path`.
  /// @throws OutputError as AtomicFile, and the exceptions of the writer
  void write(const std::filesystem::path& path,
             const std::function<void(const std::filesystem::path& temporary)>& writer);

  /// Flushes all files to disk, then renames them one after the other. Interruptions are delayed
  /// until this is done (`replacementInProgress`).
  /// @throws OutputError; the message names the files that were already replaced, if any
  void commit();

 private:
  std::vector<std::unique_ptr<AtomicFile>> files_;
};

}  // namespace dynid
