#include "dynid/recordings/log_source.h"

#include "dynid/logs/h5_output.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

/// 150 s of a robot of datasets/ at 1 kHz.
struct SimulatedLog {
  std::shared_ptr<const Robot> robot;
  fs::path path =
      fs::temp_directory_path() / ("dynid_log_source_" + std::to_string(getpid()) + ".h5");

  explicit SimulatedLog(SimulationOptions simulation,
                        const fs::path& description = fs::path("quickstart") / "arm.toml")
      : robot(
            std::make_shared<const Robot>(loadRobot(fs::path(DYNID_DATASETS_DIR) / description))) {
    simulation.motion.duration_s = 150.0;
    simulation.rate_hz = 1000.0;
    simulate(*robot, randomTruth(*robot, 3), simulation, path);
  }
  SimulatedLog(const SimulatedLog&) = delete;
  SimulatedLog& operator=(const SimulatedLog&) = delete;
  ~SimulatedLog() { fs::remove(path); }

  LogSource source() const { return {robot, {path, ""}, RecordingSettings{}}; }
};

// Nothing is filtered: windows are whole blocks or whole parts of a block, and cover the log.
TEST(LogSource, WindowsOfAnExactLogBeginWithItsBlocks) {
  const SimulatedLog log(SimulationOptions{});
  LogSource source = log.source();
  ASSERT_TRUE(source.plan().exact_motion);
  const auto check = [&](double block_s, std::int64_t core) {
    source.setBlocks(block_s);
    const WindowTiling tiling = source.tiling();
    std::int64_t next = 0;
    for (std::int64_t w = 0; w < tiling.windows; ++w) {
      const auto [first, end] = source.windowRows(w, tiling);
      EXPECT_EQ(first, next);
      if (w + 1 < tiling.windows) {
        EXPECT_EQ(end - first, core) << block_s;
      }
      EXPECT_LE(end - first, 3 * core / 2 + 1);
      next = end;
    }
    EXPECT_EQ(next, source.numRows());
  };
  check(2.0, 64000);     // 32 blocks per window
  check(64.0, 64000);    // one block
  check(128.0, 64000);   // half a block
  check(1024.0, 64000);  // a sixteenth
  check(1e-6, 65536);    // shorter than a sample
}

// A window takes no more memory than one of eight joints.
TEST(LogSource, WindowsOfManyJointsHaveFewerRows) {
  const SimulatedLog log(SimulationOptions{}, fs::path("humanoid") / "humanoid.toml");
  ASSERT_EQ(log.robot->numJoints(), 32);
  LogSource source = log.source();
  ASSERT_TRUE(source.plan().exact_motion);
  source.setBlocks(1e-6);
  const WindowTiling tiling = source.tiling();
  EXPECT_EQ(tiling.windows, std::lround(150000.0 / 16384.0));
  const auto [first, end] = source.windowRows(1, tiling);
  EXPECT_NEAR(static_cast<double>(end - first), 16384.0, 0.05 * 16384.0);
}

// Rows are neither filtered nor compressed: half the margin, cores of a length independent of the
// log, no rows left out.
TEST(LogSource, WindowsOfMotionAloneAreShortAndTileTheLog) {
  SimulationOptions noisy;
  noisy.effort_noise_relative = 0.02;
  noisy.encoder_step = 1e-4;
  const SimulatedLog log(noisy);
  const LogSource source = log.source();
  const SignalPlan& plan = source.plan();
  ASSERT_FALSE(plan.exact_motion);
  const WindowTiling all = source.tiling(), motion = source.tiling(plan.cutoff_hz, true);
  EXPECT_LT(motion.margin_s, 0.7 * all.margin_s);
  EXPECT_EQ(motion.margin_s, plan.motionMargin(plan.cutoff_hz));
  EXPECT_LT(source.tiling(0.5 * plan.cutoff_hz, true).margin_s, 2.5 * motion.margin_s);
  EXPECT_GT(source.tiling(0.5 * plan.cutoff_hz, true).margin_s, motion.margin_s);
  std::int64_t next = 0;
  for (std::int64_t w = 0; w < motion.windows; ++w) {
    const auto [first, end] = source.windowRows(w, motion);
    EXPECT_EQ(first, next);
    EXPECT_GT(end, first);
    next = end;
  }
  EXPECT_EQ(next, source.numRows());
}

}  // namespace
}  // namespace dynid
