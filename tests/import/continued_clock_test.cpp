#include "dynid/import/continued_clock.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// Stamps from 1 s to 11 s at 100 Hz, again and again, recorded 2 ms later, with pauses of 50 ms
/// and of 60 s.
ClockSurvey threeRuns() {
  ClockSurvey clock;
  for (const std::int64_t begin : {100'000, 110'050, 180'050})
    for (int i = 0; i <= 1000; ++i)
      clock.add((1000 + 10 * i) * kMillisecond, (begin + 10 * i + 2) * kMillisecond);
  return clock;
}

TEST(ContinuedClock, RunsFollowOneAnother) {
  const std::vector<ContinuedRun> runs = continuedRuns(threeRuns());
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].shift, 0);
  EXPECT_EQ(runs[1].shift, (10'000 + 5000) * kMillisecond) << "the least pause";
  EXPECT_EQ(runs[2].shift, runs[1].shift + (10'000 + 60'000) * kMillisecond);
  EXPECT_EQ(runs[0].delay, (99'000 + 2) * kMillisecond);
  EXPECT_NEAR(threeRuns().period(), 10.0 * kMillisecond, 1e-3);
}

TEST(ContinuedClock, MessagesOutOfOrderAreNoRun) {
  ClockSurvey late, shuffled;
  for (int i = 0; i < 1000; ++i) {
    const bool is_late = i % 200 >= 100 && i % 200 < 110;  // ten messages at once, 0.3 s late

    late.add((10'000 + 10 * i - (is_late ? 300 : 0)) * kMillisecond,
             (20'000 + 10 * (is_late ? i / 100 * 100 : i)) * kMillisecond);
    const int at = i % 200 < 50 ? i + 50 : i % 200 < 100 ? i - 50 : i;
    shuffled.add((10'000 + 10 * at) * kMillisecond, (20'000 + 10 * at) * kMillisecond);
  }
  for (ClockSurvey* clock : {&late, &shuffled}) {
    clock->finish();
    EXPECT_EQ(clock->restarts(), 0);
    EXPECT_EQ(clock->runs().size(), 1U);
    EXPECT_EQ(clock->runs().front().messages, 1000);
  }
}

TEST(ContinuedClock, AllSourcesGoWithTheRunOfTheLeader) {
  const std::vector<ContinuedRun> runs = continuedRuns(threeRuns());
  ContinuedClock clock(runs);
  EXPECT_EQ(clock.ofLeader(1000 * kMillisecond), 1000 * kMillisecond);
  EXPECT_EQ(clock.ofStamp(1004 * kMillisecond), 1004 * kMillisecond);
  EXPECT_EQ(clock.ofLeader(6000 * kMillisecond), 6000 * kMillisecond);
  EXPECT_EQ(clock.ofRecording(105'004 * kMillisecond), 6002 * kMillisecond);
  EXPECT_EQ(clock.ofLeader(10'990 * kMillisecond), 10'990 * kMillisecond);
  EXPECT_EQ(clock.ofStamp(1000 * kMillisecond), 1000 * kMillisecond + runs[1].shift)
      << "recorded before the leader";
  EXPECT_EQ(clock.ofLeader(1010 * kMillisecond), 1010 * kMillisecond + runs[1].shift);
  EXPECT_EQ(clock.ofStamp(10'995 * kMillisecond), 10'995 * kMillisecond) << "recorded late";
  EXPECT_EQ(clock.ofLeader(6000 * kMillisecond), 6000 * kMillisecond + runs[1].shift);
  EXPECT_EQ(clock.ofStamp(5990 * kMillisecond), 5990 * kMillisecond + runs[1].shift);
  EXPECT_EQ(clock.ofRecording(115'054 * kMillisecond), 6002 * kMillisecond + runs[1].shift);
}

}  // namespace
}  // namespace dynid
