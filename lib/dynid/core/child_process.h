#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace dynid {

/// A forked copy of this process that runs one function, and the pipe through which it reports.
///
/// The child ignores SIGINT and SIGTERM: the parent decides whether it still needs the child's
/// results. SIGALRM and the signals of a crash have their default action in the child. It receives
/// SIGKILL when its parent ends. It ends without running the parent's destructors and exit
/// handlers, with the status that the function returns, or with 1 if the function throws. The
/// destructor of this class kills a child that is still running and waits for it.
class ChildProcess {
 public:
  /// Writes all bytes to the parent; ends the child if the parent has closed the pipe.
  using Report = std::function<void(std::string_view bytes)>;
  /// The function that the child runs. @returns its exit status
  using Work = std::function<int(const Report& report)>;

  /// @returns empty if the system cannot provide a pipe or a process; `errno` has the reason
  static std::optional<ChildProcess> start(const Work& work);

  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// The read end of the pipe, for `poll`.
  int pipe() const { return pipe_; }
  /// Waits for bytes from the child. @returns "" after the child has closed its end
  std::string read();
  /// Everything that the child writes until it ends.
  std::string readAll();
  /// Waits for the end of the child.
  /// @returns the status of waitpid, empty if it is not available
  std::optional<int> wait();

 private:
  ChildProcess(pid_t id, int pipe) : id_(id), pipe_(pipe) {}

  pid_t id_ = -1;  // -1: already waited for, or moved from
  int pipe_ = -1;
};

}  // namespace dynid
