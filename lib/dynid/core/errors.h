#pragma once

#include <stdexcept>
#include <string>

namespace dynid {

/// Errors that a user can correct, by kind. The command line tool maps each kind to an exit status.
/// The message states what is wrong, in which file and place, and what to do.

/// The command line, a configuration file or the value of an option is wrong (exit status 2).
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An input file cannot be used (exit status 3). The message has the form "path:line: ..." or
/// "path:/dataset[row]: ...".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An output file cannot be written (exit status 4).
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user interrupted the run (exit status 129, 130 or 143). It is thrown between units of work,
/// so that no output is left incomplete.
class Interrupted : public std::runtime_error {
 public:
  /// @param signal_number  of the signal, for example SIGINT
  explicit Interrupted(int signal_number)
      : std::runtime_error("interrupted"), signal_number_(signal_number) {}
  int signalNumber() const { return signal_number_; }

 private:
  int signal_number_;
};

}  // namespace dynid
