#include "dynid/signals/row_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <limits>

namespace dynid {
namespace {

RawSignals withTimes(const std::vector<double>& times) {
  RawSignals log = syntheticLog(static_cast<Eigen::Index>(times.size()));
  for (std::size_t k = 0; k < times.size(); ++k) log.time(k) = times[k];
  return log;
}

TEST(RowOrder, AWildStampCostsItselfOnly) {
  EXPECT_THAT(orderRows(withTimes({0, 1, 99, 2, 3, 4})).rows, testing::ElementsAre(0, 1, 3, 4, 5));
  EXPECT_THAT(orderRows(withTimes({0, 1, -99, 2, 3, 4})).rows, testing::ElementsAre(0, 1, 3, 4, 5));
  EXPECT_EQ(orderRows(withTimes({0, 1, 99, 2, 3, 4})).counts.backward, 1);
}

TEST(RowOrder, EqualStampsAreInOrder) {
  EXPECT_EQ(orderRows(withTimes({1, 1, 1, 2, 2})).rows.size(), 5U);
}

TEST(RowOrder, RowsThatAreNotFiniteOrCorruptAreCounted) {
  RawSignals log = syntheticLog(10);
  log.time(1) = std::numeric_limits<double>::quiet_NaN();
  log.position(3, 2) = std::numeric_limits<double>::infinity();
  log.effort(5, 0) = 1e282;
  // The channel is not used, so the row is kept
  log.velocity(7, 0) = std::numeric_limits<double>::quiet_NaN();
  const OrderedRows ordered = orderRows(log);
  EXPECT_THAT(ordered.rows, testing::ElementsAre(0, 2, 4, 6, 7, 8, 9));
  EXPECT_EQ(ordered.counts.read, 10);
  EXPECT_EQ(ordered.counts.not_finite, 3);
}

TEST(RowOrder, RowsWithoutARequiredChannelAreDropped) {
  RawSignals log = syntheticLog(6);
  log.required = Eigen::MatrixXd::Zero(6, 2);
  log.required(1, 0) = std::numeric_limits<double>::quiet_NaN();
  log.required(4, 1) = 1e282;
  EXPECT_THAT(orderRows(log).rows, testing::ElementsAre(0, 2, 3, 5));
  EXPECT_EQ(orderRows(log).counts.not_finite, 2);
  EXPECT_THAT(unusableRows(log.required), testing::ElementsAre(1, 4));
}

TEST(RowOrder, EveryKindOfNumberIsJudgedByItsSize) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity(), limit = 1e12;
  RawSignals log = syntheticLog(12);
  log.effort.col(1) << 0.0, -0.0, std::nextafter(limit, 0.0), -std::nextafter(limit, 0.0), 5e-324,
      limit, -limit, 1e300, infinity, -infinity, nan, -nan;
  EXPECT_THAT(orderRows(log).rows, testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(RowOrder, GapsSplit) {
  const RawSignals log = withTimes({0, 1, 2, 10, 11, 30});
  const std::vector<Segment> parts = splitAtGaps(log, orderRows(log).rows, 3.0);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].begin, 3);
  EXPECT_EQ(parts[1].end, 5);
  EXPECT_EQ(parts[2].size(), 1);
}

}  // namespace
}  // namespace dynid
