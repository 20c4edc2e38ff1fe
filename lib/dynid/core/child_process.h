#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace dynid {

/// A forked copy of this process that runs one function, and the pipe through which it reports.
///
/// The child leaves SIGINT and SIGTERM to its parent, which may still want what the child has
/// found. It takes the default action on SIGALRM and the signals of a crash, gets SIGKILL when its
/// parent ends, and ends without the parent's destructors and exit handlers: with the status that
/// the function returns, or with 1 where it throws. The destructor kills a child that still runs,
/// and waits for it.
class ChildProcess {
 public:
  /// Writes all bytes to the parent; ends the child where the parent does not listen any more.
  using Report = std::function<void(std::string_view bytes)>;
  /// What the child runs. @returns its exit status
  using Work = std::function<int(const Report& report)>;

  /// @returns nothing where the system has no pipe or process to spare: `errno` says why
  static std::optional<ChildProcess> start(const Work& work);

  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// The end of the pipe to read from, for `poll`.
  int pipe() const { return pipe_; }
  /// Waits for bytes of the child. @returns "" once it has closed its end
  std::string read();
  /// All that the child writes until it ends.
  std::string readAll();
  /// Waits for the end of the child. @returns the status as waitpid gives it, nothing where that
  /// is not to be had
  std::optional<int> wait();

 private:
  ChildProcess(pid_t id, int pipe) : id_(id), pipe_(pipe) {}

  pid_t id_ = -1;  // -1: waited for, or moved from
  int pipe_ = -1;
};

}  // namespace dynid
