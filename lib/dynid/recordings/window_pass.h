#pragma once

#include "dynid/core/progress.h"
#include "dynid/recordings/log_source.h"
#include "dynid/recordings/team.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace dynid {

/// One window of one log of a pass.
struct WindowTask {
  const LogSource* source = nullptr;
  int log = 0;  ///< its index, as the caller counts
  std::int64_t first = 0, end = 0;
  double margin_s = 0.0;
  bool warm_up = false;  ///< only its state is needed, by the window after it
};

/// How a pass goes over the logs.
struct WindowPass {
  int threads = 1;
  /// Bound on the rows of all logs together; 0: every window. Windows of about so many rows are
  /// spread evenly over each log, at least one per log. For choices that more data would not
  /// change.
  std::int64_t max_rows = 0;
  /// The windows' margins suffice for this cut-off too (see LogSource::recondition); 0: the plan's
  /// own.
  double lowest_cutoff_hz = 0.0;
  Team* team = nullptr;      ///< processes that share the windows; nullptr: this one does all
  bool motion_only = false;  ///< see LogSource::tiling
};

/// The windows of a pass that this process does, in order: each process of a team has a stretch of
/// neighbours, with the window before them to begin with.
std::vector<WindowTask> windowTasks(const std::vector<const LogSource*>& logs,
                                    const WindowPass& pass);

/// Reads a window of a pass. To be called by one thread at a time, in the order of the windows. A
/// log is closed after its last window, so that the number of logs is not limited by that of open
/// files.
RawWindow readTask(const std::vector<WindowTask>& tasks, std::size_t window);

/// What one thread does with its windows. A pass calls the four steps for each window. The ordered
/// steps run for one window after the other, in the order of the pass, whichever thread has the
/// window. So results do not depend on timing or on the number of threads.
class WindowWorker {
 public:
  WindowWorker() = default;
  WindowWorker(const WindowWorker&) = delete;
  WindowWorker& operator=(const WindowWorker&) = delete;
  virtual ~WindowWorker() = default;

  /// What windows are made from is needed too (see LogSource::recondition).
  virtual bool wantsRawRows() const { return false; }
  virtual void prepare(const WindowTask&, const ActuatorSignals&) {}  ///< in parallel
  virtual void carry(const WindowTask&, const ActuatorSignals&) {}    ///< ordered: state of the log
  virtual void work(const WindowTask&, const ActuatorSignals&) {}     ///< in parallel
  virtual void deliver(const WindowTask&, const ActuatorSignals&) {}  ///< ordered: results
};

/// Reads the windows in order and hands each to the next free thread's worker.
///
/// @param make  called once per thread, on the caller's thread
/// @throws what a worker, the log or `progress` throws (of the earliest window that failed so)
void runWindows(const std::vector<WindowTask>& tasks,
                int threads,
                const std::function<std::unique_ptr<WindowWorker>()>& make,
                const Progress& progress = {});

}  // namespace dynid
