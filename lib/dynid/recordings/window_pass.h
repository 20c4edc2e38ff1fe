#pragma once

#include "dynid/core/progress.h"
#include "dynid/recordings/log_source.h"
#include "dynid/recordings/team.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace dynid {

/// One window of one log in a pass.
struct WindowTask {
  const LogSource* source = nullptr;
  int log = 0;  ///< index of the log
  std::int64_t first = 0, end = 0;
  double margin_s = 0.0;
  bool warm_up = false;  ///< only the state at its end is needed, by the next window
};

/// Settings of a pass over the logs.
struct WindowPass {
  int threads = 1;
  /// Approximate bound on the number of rows of all logs together; 0: all windows. The windows are
  /// distributed evenly over each log, at least one per log. For decisions that more data would not
  /// change.
  std::int64_t max_rows = 0;
  /// [Hz] Lowest cut-off frequency for which the margins of the windows must suffice (see
  /// LogSource::recondition); 0: that of the plan.
  double lowest_cutoff_hz = 0.0;
  Team* team = nullptr;      ///< processes that divide the windows; nullptr: this process does all
  bool motion_only = false;  ///< see LogSource::tiling
};

/// The windows of a pass that this process computes, in order. Each process of a team has a run of
/// consecutive windows, preceded by the window before it, from which it takes the initial state.
std::vector<WindowTask> windowTasks(const std::vector<const LogSource*>& logs,
                                    const WindowPass& pass);

/// Reads a window of a pass. Must be called by one thread at a time, in the order of the windows. A
/// log is closed after its last window, so that the number of logs may exceed that of open files.
RawWindow readTask(const std::vector<WindowTask>& tasks, std::size_t window);

/// The work of one thread on its windows. A pass calls the four steps for each window. The ordered
/// steps run in the order of the windows, whichever thread has the window. Results therefore do not
/// depend on timing or on the number of threads.
class WindowWorker {
 public:
  WindowWorker() = default;
  WindowWorker(const WindowWorker&) = delete;
  WindowWorker& operator=(const WindowWorker&) = delete;
  virtual ~WindowWorker() = default;

  /// Whether the raw rows of windows must be kept (see LogSource::recondition).
  virtual bool wantsRawRows() const { return false; }
  /// Whether rows without a usable effort are left out (see LogSource::conditionWindow)
  virtual bool needsEfforts() const { return true; }
  virtual void prepare(const WindowTask&, const ActuatorSignals&) {}  ///< parallel
  /// Ordered: updates the state along the log
  virtual void updateState(const WindowTask&, const ActuatorSignals&) {}
  virtual void work(const WindowTask&, const ActuatorSignals&) {}  ///< parallel
  /// Ordered: stores the results
  virtual void deliver(const WindowTask&, const ActuatorSignals&) {}
};

/// Reads the windows in order and passes each to the worker of the next free thread.
///
/// @param make  called once per thread, on the caller's thread
/// @throws the exception of a worker, the log or `progress`; of several, that of the earliest
///     window
void runWindows(const std::vector<WindowTask>& tasks,
                int threads,
                const std::function<std::unique_ptr<WindowWorker>()>& make,
                const Progress& progress = {});

}  // namespace dynid
