#include "dynid/regression/statistics.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(Statistics, CountsBlocksChannelsAndMovingRows) {
  Statistics statistics;
  statistics.block_log = {0, 0, 1};
  TriangularFactor three(2), five(2), standstill(2);
  three.add(Eigen::MatrixXd::Ones(3, 2));
  five.add(Eigen::MatrixXd::Ones(5, 2));
  standstill.add(Eigen::MatrixXd::Ones(100, 2));
  ChannelStatistics channel;
  channel.columns = {4};
  channel.moving = {three, TriangularFactor(2), five};
  channel.standstill = {standstill, standstill, standstill};
  statistics.channels = {channel};
  EXPECT_EQ(statistics.numBlocks(), 3);
  EXPECT_EQ(statistics.numChannels(), 1);
  EXPECT_EQ(statistics.movingRows(0), 8.0);
}

// Moving rows of two channels in eight blocks.
Statistics moving(const std::vector<int>& first, const std::vector<int>& second) {
  Statistics statistics;
  statistics.block_log.assign(first.size(), 0);
  for (const std::vector<int>& rows : {first, second}) {
    ChannelStatistics channel;
    for (const int count : rows)
      channel.moving.push_back(TriangularFactor::fromRows(Eigen::MatrixXd::Ones(count, 2), count));
    statistics.channels.push_back(channel);
  }
  return statistics;
}

TEST(Statistics, FoldsAreConsecutivePartsOfTheLogs) {
  const std::vector<int> folds = {0, 0, 1, 1, 2, 2, 3, 3};
  EXPECT_EQ(foldsOfBlocks(moving({9, 9, 9, 9, 9, 9, 9, 9}, {3, 4, 5, 6, 7, 8, 9, 9}), 4), folds);
  // The second channel rests but for one row.
  EXPECT_EQ(foldsOfBlocks(moving({9, 9, 9, 9, 9, 9, 9, 9}, {0, 0, 0, 0, 0, 1, 0, 0}), 4), folds);
}

// One joint moves after the other: a fit without a consecutive quarter would not see it.
TEST(Statistics, FoldsAreDealtOutWhereAJointMovesInOneOfThemOnly) {
  EXPECT_EQ(foldsOfBlocks(moving({9, 9, 9, 9, 9, 9, 0, 0}, {0, 0, 0, 0, 0, 0, 9, 9}), 4),
            (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
}

// A payload that one short log has: without that log a fit would not know it.
TEST(Statistics, FoldsAreDealtOutWhereAColumnIsInOneOfThemOnly) {
  const std::vector<int> consecutive = {0, 0, 1, 1, 2, 2, 3, 3}, in_turn = {0, 1, 2, 3, 0, 1, 2, 3};
  Statistics statistics;
  statistics.layout_size = 2;
  statistics.block_log = {0, 0, 0, 0, 0, 0, 1, 1};
  ChannelStatistics channel;
  channel.columns = {0, 1};
  for (const double payload : {0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 3.0, 3.0}) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Ones(9, 3);
    rows.col(1) *= payload;
    channel.moving.push_back(TriangularFactor::fromRows(rows, 9.0));
  }
  statistics.channels = {channel};
  EXPECT_EQ(foldsOfBlocks(statistics, 4), in_turn);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Ones(9, 3);
  statistics.channels[0].moving[0] = TriangularFactor::fromRows(rows, 9.0);
  EXPECT_EQ(foldsOfBlocks(statistics, 4), consecutive);
  EXPECT_EQ(foldsOfBlocks(statistics, 2), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace dynid
