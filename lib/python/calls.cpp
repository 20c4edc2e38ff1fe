#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include "bindings.h"
#include <atomic>
#include <cmath>
#include <csignal>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace dynid::python {
namespace {

std::atomic<bool> interrupt_requested{false};

/// Records Ctrl-C during its lifetime, in any thread. Calls of several threads may overlap: the
/// last one restores Python's handler.
class InterruptGuard {
 public:
  InterruptGuard() {
    const std::lock_guard lock(mutex);
    if (calls++ > 0) return;
    interrupt_requested = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupt_requested = true; };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before);
  }
  ~InterruptGuard() {
    const std::lock_guard lock(mutex);
    if (--calls == 0) sigaction(SIGINT, &before, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  inline static std::mutex mutex;
  inline static int calls = 0;
  inline static struct sigaction before {};
};

}  // namespace

void runInterruptible(const py::object& callback,
                      const std::function<void(const Progress&)>& work) {
  const bool reports = !callback.is_none();
  try {
    const InterruptGuard guard;
    const py::gil_scoped_release release;
    work([&](const std::string& stage, double fraction) {
      if (interrupt_requested) throw Interrupted(SIGINT);
      if (!reports) return;
      const py::gil_scoped_acquire acquire;
      callback(stage, fraction);
    });
    if (interrupt_requested) throw Interrupted(SIGINT);  // after the last report of the work
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
}

void refuseNan(const char* name, double value) {
  if (std::isnan(value))
    throw UsageError(
        fmt::format("`{}` is NaN; expected a number; leave it out for its default", name));
}

void setFields(const std::string& function,
               const py::kwargs& arguments,
               const std::vector<Keyword>& known) {
  for (const auto& [key, value] : arguments) {
    const auto name = key.cast<std::string>();
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Keyword& k) { return name == k.name; });
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const Keyword& k : known) names.emplace_back(k.name);
      // Messages about logs name it, because a joint is left out of the robot, not of a log.
      const std::string near =
          name == "exclude_joints" ? "; it is an argument of load_robot" : didYouMean(name, names);
      throw py::type_error(fmt::format("{}: unknown argument '{}'{}",
                                       function,
                                       name,
                                       near.empty() ? "; it takes " + join(names, ", ") : near));
    }
    try {
      found->set(value);
    } catch (const py::cast_error&) {
      throw py::type_error(fmt::format("{}: the argument '{}' cannot be {}",
                                       function,
                                       name,
                                       py::repr(value).cast<std::string>()));
    }
  }
}

py::object fromJson(const std::string& text) {
  return py::module_::import("json").attr("loads")(text);
}

int defaultThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace dynid::python
