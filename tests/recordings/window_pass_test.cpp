#include "dynid/recordings/window_pass.h"

#include <gtest/gtest.h>

#include "support/simulated_log.h"
#include <atomic>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

class WindowPasses : public testing::Test {
 protected:
  WindowPasses() {
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.motion.duration_s = 400.0;
    simulation.rate_hz = 500.0;
    simulation.encoder_step = 1e-5;
    simulation.velocity = false;
    source_ = std::make_unique<LogSource>(
        arm_.robot, LogInput{arm_.log("log.h5", simulation), ""}, RecordingSettings{});
  }

  const SimulatedArm arm_{"window_pass"};
  std::unique_ptr<LogSource> source_;
};

/// Records the calls in their order.
struct Diary {
  std::vector<std::int64_t> carried, delivered;
  std::atomic<int> worked{0};
  std::int64_t throw_at = -1;
};

class Writer : public WindowWorker {
 public:
  explicit Writer(Diary& diary) : diary_(diary) {}
  void updateState(const WindowTask& task, const ActuatorSignals&) override {
    diary_.carried.push_back(task.first);
  }
  void work(const WindowTask& task, const ActuatorSignals&) override {
    if (task.first == diary_.throw_at) throw std::runtime_error("stop");
    ++diary_.worked;
  }
  void deliver(const WindowTask& task, const ActuatorSignals&) override {
    diary_.delivered.push_back(task.first);
  }

 private:
  Diary& diary_;
};

TEST_F(WindowPasses, TheOrderedStepsRunInTheOrderOfTheLog) {
  const std::vector<WindowTask> tasks = windowTasks({source_.get()}, {});
  ASSERT_GT(tasks.size(), 4u);
  Diary diary;
  runWindows(tasks, 4, [&] { return std::make_unique<Writer>(diary); });
  std::vector<std::int64_t> expected;
  for (const WindowTask& task : tasks) expected.push_back(task.first);
  EXPECT_EQ(diary.carried, expected);
  EXPECT_EQ(diary.delivered, expected);
  EXPECT_EQ(diary.worked, std::ssize(tasks));
}

TEST_F(WindowPasses, WindowsTileTheLog) {
  const std::vector<WindowTask> tasks = windowTasks({source_.get()}, {});
  EXPECT_EQ(tasks.front().first, 0);
  EXPECT_EQ(tasks.back().end, source_->numRows());
  for (size_t i = 1; i < tasks.size(); ++i) EXPECT_EQ(tasks[i].first, tasks[i - 1].end);
}

TEST_F(WindowPasses, ABoundedPassTakesAShareOfTheWindowsSpreadOverTheLog) {
  WindowPass bounded;
  bounded.max_rows = source_->numRows() / 3;
  const std::vector<WindowTask> all = windowTasks({source_.get()}, {});
  const std::vector<WindowTask> some = windowTasks({source_.get()}, bounded);
  EXPECT_GE(some.size(), 1u);
  EXPECT_LE(some.size(), all.size() / 3 + 1);
  EXPECT_GT(some.back().first, source_->numRows() / 3);
  bounded.max_rows = 1;
  EXPECT_EQ(windowTasks({source_.get()}, bounded).size(), 1u);  // at least one per log
}

TEST_F(WindowPasses, AFailureOfAWorkerEndsThePass) {
  const std::vector<WindowTask> tasks = windowTasks({source_.get()}, {});
  Diary diary;
  diary.throw_at = tasks[1].first;
  EXPECT_THROW(runWindows(tasks, 3, [&] { return std::make_unique<Writer>(diary); }),
               std::runtime_error);
  EXPECT_LE(diary.delivered.size(), 1u);
}

/// The second of two processes.
class SecondOfTwo : public Team {
 public:
  int rank() const override { return 1; }
  int size() const override { return 2; }
};

TEST_F(WindowPasses, AMemberOfATeamStartsWithTheStateOfTheWindowBeforeItsShare) {
  SecondOfTwo team;
  WindowPass pass;
  pass.team = &team;
  const std::vector<WindowTask> all = windowTasks({source_.get()}, {});
  const std::vector<WindowTask> tasks = windowTasks({source_.get()}, pass);
  ASSERT_GT(tasks.size(), 1u);
  EXPECT_TRUE(tasks[0].warm_up);
  EXPECT_EQ(tasks[1].first, all[all.size() / 2].first);
  EXPECT_EQ(tasks[0].end, tasks[1].first);
  EXPECT_EQ(tasks.back().end, all.back().end);
}

}  // namespace
}  // namespace dynid
