#include "dynid/recordings/window_pass.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace dynid {
namespace {

/// Executes the steps of windows one at a time, in the order of the windows.
class Turnstile {
 public:
  /// Waits for the window's turn, runs `step`, and admits the next window.
  /// @returns false, without running the step, if the pass has failed
  template <class Step>
  bool pass(std::size_t window, const std::atomic<bool>& failed, const Step& step) {
    std::unique_lock lock(mutex_);
    turn_changed_.wait(lock, [&] { return next_ == window || failed; });
    if (failed) return false;
    step();
    ++next_;
    turn_changed_.notify_all();
    return true;
  }
  void wakeAll() {
    const std::scoped_lock lock(mutex_);
    turn_changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_changed_;
  std::size_t next_ = 0;
};

class Pass {
 public:
  Pass(const std::vector<WindowTask>& tasks, const Progress& progress)
      : tasks_(tasks), progress_(progress) {}

  void run(WindowWorker& worker) {
    while (!failed_) {
      const std::size_t window = next_.fetch_add(1);
      if (window >= tasks_.size()) return;
      try {
        runOne(window, worker);
      } catch (...) {
        fail(window);
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void runOne(std::size_t window, WindowWorker& worker) {
    const WindowTask& task = tasks_[window];
    RawWindow raw;
    const bool read = reading_.pass(window, failed_, [&] {
      if (progress_)
        progress_(task.source->input().path.filename().string(),
                  static_cast<double>(window) / static_cast<double>(tasks_.size()));
      raw = readTask(tasks_, window);
    });
    if (!read) return;
    const ActuatorSignals signals =
        task.source->conditionWindow(std::move(raw), worker.wantsRawRows(), worker.needsEfforts());
    worker.prepare(task, signals);
    if (!updating_.pass(window, failed_, [&] { worker.updateState(task, signals); })) return;
    if (!task.warm_up) worker.work(task, signals);
    delivering_.pass(window, failed_, [&] {
      if (!task.warm_up) worker.deliver(task, signals);
    });
  }

  void fail(std::size_t window) {
    {
      const std::scoped_lock lock(error_mutex_);
      if (!error_ || window < failed_window_) {
        error_ = std::current_exception();
        failed_window_ = window;
      }
    }
    failed_ = true;
    for (Turnstile* turnstile : {&reading_, &updating_, &delivering_}) turnstile->wakeAll();
  }

  const std::vector<WindowTask>& tasks_;
  const Progress& progress_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  Turnstile reading_, updating_, delivering_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::size_t failed_window_ = 0;
};

}  // namespace

namespace {

std::vector<WindowTask> ownShare(const std::vector<WindowTask>& tasks, const Team* team) {
  if (team == nullptr || team->size() == 1) return tasks;
  const auto begin = static_cast<std::ptrdiff_t>(tasks.size()) * team->rank() / team->size();
  const auto end = static_cast<std::ptrdiff_t>(tasks.size()) * (team->rank() + 1) / team->size();
  std::vector<WindowTask> tasks_of_process;
  if (begin > 0 && begin < end) {
    const WindowTask& before = tasks[begin - 1];
    if (before.log == tasks[begin].log) {
      tasks_of_process.push_back(before);
      tasks_of_process.back().warm_up = true;
    }
  }
  tasks_of_process.insert(tasks_of_process.end(), tasks.begin() + begin, tasks.begin() + end);
  return tasks_of_process;
}

}  // namespace

std::vector<WindowTask> windowTasks(const std::vector<const LogSource*>& logs,
                                    const WindowPass& pass) {
  std::int64_t total = 0;
  for (const LogSource* log : logs) total += log->numRows();
  std::vector<WindowTask> tasks;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const LogSource& log = *logs[i];
    const WindowTiling tiling = log.tiling(pass.lowest_cutoff_hz, pass.motion_only);
    std::int64_t used = tiling.windows;
    if (pass.max_rows > 0) {  // number of windows of this log
      const double share = static_cast<double>(pass.max_rows) / static_cast<double>(total);
      const auto windows_of_process =
          static_cast<std::int64_t>(share * static_cast<double>(tiling.windows));
      used = std::clamp<std::int64_t>(windows_of_process, 1, tiling.windows);
    }
    for (std::int64_t k = 0; k < used; ++k) {
      const std::int64_t w = k * tiling.windows / used;
      const auto [first, end] = log.windowRows(w, tiling);
      tasks.push_back({&log, static_cast<int>(i), first, end, tiling.margin_s});
    }
  }
  return ownShare(tasks, pass.team);
}

RawWindow readTask(const std::vector<WindowTask>& tasks, std::size_t window) {
  const WindowTask& task = tasks[window];
  RawWindow raw = task.source->readWindow(task.first, task.end, task.margin_s);
  if (window + 1 == tasks.size() || tasks[window + 1].source != task.source) task.source->close();
  return raw;
}

void runWindows(const std::vector<WindowTask>& tasks,
                int threads,
                const std::function<std::unique_ptr<WindowWorker>()>& make,
                const Progress& progress) {
  const auto useful = static_cast<int>(std::min<std::size_t>(tasks.size(), 1024));
  const int count = std::clamp(threads, 1, std::max(1, useful));
  std::vector<std::unique_ptr<WindowWorker>> workers;
  for (int t = 0; t < count; ++t) workers.push_back(make());
  Pass pass(tasks, progress);
  {
    std::vector<std::jthread> others;
    for (int t = 1; t < count; ++t)
      others.emplace_back([&pass, &worker = *workers[t]] { pass.run(worker); });
    pass.run(*workers.front());
  }
  pass.rethrow();
}

}  // namespace dynid
