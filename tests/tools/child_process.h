#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// What a run of the program left behind.
struct Outcome {
  int status = -1;  ///< exit status; 128 + n if signal n killed it
  std::string out, err;
};

/// How to run it.
struct RunOptions {
  int signal = 0;  ///< sent after `signal_after_s`; 0: none
  double signal_after_s = 0.2;
  std::string signal_when_says;              ///< sent once standard error holds this text, instead
  int signals = 1;                           ///< so many, 5 ms apart
  std::vector<std::string> environment;      ///< "NAME=value", on top of this process's own
  std::string directory = DYNID_SOURCE_DIR;  ///< to run in
  unsigned long file_size_limit = 0;   ///< [bytes] writing more fails, as on a full disk; 0: none
  unsigned long open_files_limit = 0;  ///< opening more at a time fails; 0: as usual
  std::string standard_output;         ///< a file or device to write to instead of being captured
};

/// Runs the built `dynid`, by default in the root of the source tree, and waits for it.
Outcome dynid(const std::vector<std::string>& arguments, const RunOptions& options = {});

/// The words of a command line as in the documentation ("dynid check arm.toml --json"); no quoting.
std::vector<std::string> argumentsOf(const std::string& command_line);

/// A directory of its own for one test, removed at its end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  /// Path of `name` in it, as text.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Names of the files in it.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

}  // namespace dynid
