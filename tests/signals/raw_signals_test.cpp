#include "dynid/signals/raw_signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <stdexcept>

namespace dynid {
namespace {

TEST(RawSignals, NamesTheChannelThatDoesNotFit) {
  RawSignals log = syntheticLog(100);
  EXPECT_NO_THROW(log.check());
  log.velocity = Eigen::MatrixXd::Zero(99, 3);
  EXPECT_THAT([&] { log.check(); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "the recorded velocity is 99 x 3; expected 100 x 3"));
  log.velocity.resize(0, 0);
  EXPECT_NO_THROW(log.check());
  log.required = Eigen::MatrixXd::Zero(99, 1);
  EXPECT_THAT([&] { log.check(); },
              testing::ThrowsMessage<std::invalid_argument>(
                  testing::HasSubstr("required channel is 99 x 1; expected 100 x 1")));
  log.required.resize(0, 0);
  log.position.resize(0, 3);
  EXPECT_THAT(
      [&] { log.check(); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("position is 0 x 3")));
}

TEST(RawSignals, ChannelsSideBySideKeepTheirOrder) {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(4, 2), none, b = Eigen::MatrixXd::Random(4, 3);
  const Eigen::MatrixXd all = sideBySide({&a, &none, &b});
  ASSERT_EQ(all.cols(), 5);
  EXPECT_EQ(all.leftCols(2), a);
  EXPECT_EQ(all.rightCols(3), b);
  EXPECT_EQ(sideBySide({&none, &none}).size(), 0);
}

TEST(RawSignals, CountsAddUp) {
  RowCounts a{10, 5, 1, 1, 1, 1, 1};
  a += a;
  EXPECT_EQ(a.read, 20);
  EXPECT_EQ(a.kept + a.not_finite + a.backward + a.duplicate_time + a.repeated + a.short_segment,
            20);
}

}  // namespace
}  // namespace dynid
