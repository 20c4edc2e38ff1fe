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

}  // namespace
}  // namespace dynid
