#include "dynid/identification/gathered_statistics.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dynid
