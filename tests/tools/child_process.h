#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// The result of a run of the program.
struct Outcome {
  int status = -1;  ///< exit status; 128 + n if signal n killed it
  std::string out, err;
};

/// Settings of a run.
struct RunOptions {
  int signal = 0;  ///< signal sent after `signal_after_s`; 0: none
  double signal_after_s = 0.2;
  /// If not empty: the signal is sent when standard error contains this text
  std::string signal_when_says;
  int signals = 1;  ///< number of signals, 5 ms apart
  /// "NAME=value", in addition to this process's environment
  std::vector<std::string> environment;
  std::string directory = DYNID_SOURCE_DIR;  ///< working directory
  /// [bytes] writing more fails, as on a full disk; 0: no limit
  unsigned long file_size_limit = 0;
  unsigned long open_files_limit = 0;  ///< opening more files at a time fails; 0: default limit
  std::string standard_output;  ///< a file or device to write to; empty: the output is captured
};

/// Runs the built `dynid`, by default in the root of the source tree, and waits for it.
Outcome dynid(const std::vector<std::string>& arguments, const RunOptions& options = {});

/// The words of a command line as in the documentation ("dynid check arm.toml --json"); no quoting.
std::vector<std::string> argumentsOf(const std::string& command_line);

/// A temporary directory of one test, removed at its end.
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
