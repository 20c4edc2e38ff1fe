#pragma once

#include "dynid/core/output_set.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dynid::tool {

/// The content of a text file that a user wrote, without the byte order mark with which editors on
/// Windows begin UTF-8. @throws InputError as readTextFile
std::string readUserText(const std::filesystem::path& path, std::size_t max_bytes);

/// Checks before the work begins whether its results can be written. Nothing is created or changed.
/// Empty names are skipped. Also calls `refuseToReplaceReadFiles`.
/// @throws OutputError if a file cannot be written; UsageError if two outputs are the same file, or
///     an output is an input
void checkOutputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// To be called again after the robot description is loaded, since a TOML file names other files.
/// @throws UsageError if an output is a file that this process has read (same device and inode)
void refuseToReplaceReadFiles(const std::vector<std::string>& outputs);

/// The results of a command. All of them appear together at the end, or none.
class Outputs {
 public:
  /// Calls `writer` with the temporary name to write to. Does nothing for an empty name.
  /// @throws OutputError if the file cannot be written
  void write(const std::string& name,
             const std::function<void(const std::filesystem::path& temporary)>& writer);
  /// Replaces the files. @throws OutputError; UsageError as `refuseToReplaceReadFiles`
  void commit();

 private:
  OutputSet set_;
  std::vector<std::string> names_;
};

/// Records that a result is complete, for the message about a later interruption.
void noteCompleted(const std::string& name);
/// The names recorded so far.
const std::vector<std::string>& completedOutputs();

}  // namespace dynid::tool
