#include "dynid/statistics/gathered_statistics.h"

#include "dynid/identification/identify.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

TEST(PlanBlocks, LogsOfAnyLengthGetAsManyBlocksAsTheyMay) {
  for (const double duration : {1.0, 30.0, 2000.0, 2148.0, 3990.0, 1e5, 1e7}) {
    const BlockPlan plan = planBlocks({duration}, 64);
    EXPECT_GT(plan.blocks, 31) << duration;
    EXPECT_LE(plan.blocks, 64) << duration;
    EXPECT_EQ(plan.blocks, blocksOf(duration, plan.block_s)) << duration;
    EXPECT_LE(plan.blocks * plan.block_s, duration) << duration;
  }
}

TEST(PlanBlocks, SeveralLogsShareBlocksOfOneLength) {
  const BlockPlan plan = planBlocks({3600.0, 10.0, 7200.0}, 64);
  EXPECT_EQ(plan.count.size(), 3u);
  EXPECT_EQ(plan.count[1], 1);
  EXPECT_EQ(plan.first[2], plan.count[0] + 1);
  EXPECT_EQ(plan.blocks, plan.count[0] + 1 + plan.count[2]);
  EXPECT_GT(plan.blocks, 31);
  EXPECT_LE(plan.blocks, 64);
}

// A sample every 50 ms, for longer than 2^31 blocks of 2^-20 s.
TEST(PlanBlocks, ALogOfAnHourGivesStandardDeviations) {
  namespace fs = std::filesystem;
  const auto robot = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const fs::path log =
      fs::temp_directory_path() / ("dynid_block_plan_" + std::to_string(getpid()) + ".h5");
  SimulationOptions simulation;
  simulation.motion.duration_s = 3600.0;
  simulation.motion.fundamental_hz = 0.02;
  simulation.rate_hz = 20.0;
  simulation.effort_noise_relative = 0.02;
  simulate(*robot, randomTruth(*robot, 3), simulation, log);
  const Model model = identify(robot, {{log, ""}}, {}).model;
  fs::remove(log);
  EXPECT_TRUE(model.status.usable);
  EXPECT_EQ(model.status.reason, "");
  for (const BaseParameterEstimate& estimate : model.base_parameters)
    EXPECT_TRUE(std::isfinite(estimate.std_dev)) << estimate.name;
}

}  // namespace
}  // namespace dynid
