#include "dynid/estimation/block_clusters.h"

#include <gtest/gtest.h>

#include <set>

namespace dynid {
namespace {

std::vector<BlockSpan> evenBlocks(int log, double duration, double length) {
  std::vector<BlockSpan> blocks;
  for (int b = 0; (b + 1) * length <= duration + 1e-9; ++b)
    blocks.push_back({log, b * length, (b + 1) * length});
  return blocks;
}

TEST(BlockClusters, CutAMotionThatDoesNotRepeatIntoSixteen) {
  const std::vector<BlockSpan> blocks = evenBlocks(0, 32.0, 0.5);
  const BlockClusters clusters = clusterBlocks(blocks, {{32.0, 0.0}});
  EXPECT_TRUE(clusters.phase.empty());
  ASSERT_EQ(clusters.time.size(), 64u);
  for (size_t b = 0; b < 64; ++b) EXPECT_EQ(clusters.time[b], static_cast<int>(b / 4)) << b;
}

TEST(BlockClusters, PoolTheSamePartOfEveryRepetition) {
  const std::vector<BlockSpan> blocks = evenBlocks(0, 24.0, 0.5);
  const BlockClusters clusters = clusterBlocks(blocks, {{24.0, 8.0}});
  ASSERT_EQ(clusters.phase.size(), 48u);
  for (size_t b = 0; b + 16 < 48; ++b) EXPECT_EQ(clusters.phase[b], clusters.phase[b + 16]) << b;
  EXPECT_EQ(std::set<int>(clusters.phase.begin(), clusters.phase.end()).size(), 16u);
  EXPECT_EQ(std::set<int>(clusters.time.begin(), clusters.time.end()).size(), 48u);
}

TEST(BlockClusters, NeverJoinBlocksOfTwoLogs) {
  std::vector<BlockSpan> blocks = evenBlocks(0, 8.0, 1.0);
  for (const BlockSpan& block : evenBlocks(1, 8.0, 1.0)) blocks.push_back(block);
  const BlockClusters clusters = clusterBlocks(blocks, {{8.0, 4.0}, {8.0, 0.0}});
  for (size_t b = 0; b < 8; ++b)
    for (size_t c = 8; c < 16; ++c) {
      EXPECT_NE(clusters.time[b], clusters.time[c]);
      EXPECT_NE(clusters.phase[b], clusters.phase[c]);
    }
}

TEST(BlockClusters, AreBoundedInALongLogOfAShortMotion) {
  const BlockClusters clusters = clusterBlocks(evenBlocks(0, 1000.0, 0.5), {{1000.0, 10.0}});
  EXPECT_LE(std::set<int>(clusters.time.begin(), clusters.time.end()).size(), 48u);
  EXPECT_EQ(std::set<int>(clusters.phase.begin(), clusters.phase.end()).size(), 16u);
}

// Their places in units of the length are beyond an integer.
TEST(BlockClusters, TellBlocksOfALogWithoutALengthApart) {
  const BlockClusters clusters = clusterBlocks(evenBlocks(0, 2.0, 1.0), {{0.0, 0.0}});
  ASSERT_EQ(clusters.time.size(), 2u);
  EXPECT_NE(clusters.time[0], clusters.time[1]);
}

}  // namespace
}  // namespace dynid
