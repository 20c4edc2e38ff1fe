#pragma once

#include <stdexcept>
#include <string>

namespace dynid {

/// What a user can be told, by kind. The tool maps each to its exit status (0 done, 1 "the answer
/// is no", ...). The message says what, in which file and place, and how to mend it.

/// The command line, a configuration file or an option's value is wrong (exit status 2).
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An input file cannot be used (exit status 3). Message: "path:line: ..." or "path:/dataset[row]:
/// ...".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An output cannot be written (exit status 4).
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user interrupted the run (exit status 130 or 143); thrown between blocks, so that nothing is
/// left half written.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal_number)
      : std::runtime_error("interrupted"), signal_number_(signal_number) {}
  int signalNumber() const { return signal_number_; }

 private:
  int signal_number_;
};

}  // namespace dynid
