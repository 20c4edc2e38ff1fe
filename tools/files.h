#pragma once

#include "dynid/core/output_set.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dynid::tool {

/// Finds out before the work begins whether its results can be written: nothing is left, nothing is
/// changed. Empty names are passed over. Calls `refuseToReplaceReadFiles` too.
/// @throws OutputError if a file cannot be written; UsageError if two outputs are the same file, or
/// an output is an input.
void checkOutputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// To be called again once the robot description is loaded: a TOML names other files.
/// @throws UsageError if an output is a file that this process has read (same device and inode)
void refuseToReplaceReadFiles(const std::vector<std::string>& outputs);

/// The results of a command, all of which appear together at the end or not at all.
class Outputs {
 public:
  /// Calls `writer` with the temporary name to write to. Does nothing for an empty name.
  /// @throws OutputError
  void write(const std::string& name,
             const std::function<void(const std::filesystem::path& temporary)>& writer);
  /// Replaces the files. @throws OutputError; UsageError as `refuseToReplaceReadFiles`
  void commit();

 private:
  OutputSet set_;
  std::vector<std::string> names_;
};

/// Remembers that a result is complete, for the message about a later interruption.
void noteCompleted(const std::string& name);
/// What has been noted so far.
const std::vector<std::string>& completedOutputs();

}  // namespace dynid::tool
