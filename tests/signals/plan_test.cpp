#include "dynid/signals/plan.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <limits>

namespace dynid {
namespace {

using Eigen::Index;

TEST(Plan, OptionsAreCheckedByName) {
  const auto message = [](auto change) {
    SignalOptions options;
    change(options);
    try {
      options.check();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message([](SignalOptions&) {}), "accepted");
  EXPECT_THAT(message([](SignalOptions& o) { o.cutoff_hz = -1.0; }),
              testing::StartsWith("`cutoff_hz` is -1; expected a frequency of at least 0.001 Hz"));
  // A filter of these remembers more rows than an integer or memory holds
  for (const double hz : {0.0, 5e-324, 1e-20, 1e-9, std::numeric_limits<double>::infinity()})
    EXPECT_THAT(message([hz](SignalOptions& o) { o.cutoff_hz = hz; }),
                testing::HasSubstr("`cutoff_hz`"));
  EXPECT_THAT(message([](SignalOptions& o) { o.filter_order = 0; }),
              testing::HasSubstr("`filter_order` is 0; expected 1 to 12"));
  EXPECT_THAT(message([](SignalOptions& o) { o.decimation = -2; }),
              testing::HasSubstr("`decimation` is -2"));
  EXPECT_THAT(message([](SignalOptions& o) { o.still_speed = -0.1; }),
              testing::HasSubstr("`still_speed` is -0.1"));
  EXPECT_THAT(message([](SignalOptions& o) { o.max_gap = 0.0; }),
              testing::HasSubstr("`max_gap` is 0"));
}

TEST(Plan, ACutOffAboveHalfTheRateIsRefused) {
  const RawSignals log = syntheticLog(2000);
  SignalOptions options;
  options.cutoff_hz = 150.0;
  EXPECT_THAT(
      [&] {
        planSignals({&log, 1}, options);
      },
      testing::ThrowsMessage<UsageError>(
          testing::HasSubstr("less than half the sampling rate of 200 Hz")));
}

TEST(Plan, APredictionLowersTheCutOffToWhatTheRateAllows) {
  const RawSignals log = syntheticLog(2000);  // 200 Hz
  SignalOptions options;
  options.of_other_logs = true;
  for (const double hz : {60.0, 100.0, 150.0}) {
    options.cutoff_hz = hz;
    const SignalPlan plan = planSignals({&log, 1}, options);
    EXPECT_NEAR(plan.cutoff_hz, 40.0, 1e-6);
    EXPECT_THAT(plan.cutoff_reason, testing::StartsWith("lowered to 0.2 of the sampling rate"));
  }
  options.cutoff_hz = 30.0;
  EXPECT_EQ(planSignals({&log, 1}, options).cutoff_hz, 30.0);
}

TEST(Plan, AFewWindowsDecideAsTheWholeDoes) {
  const RawSignals log = syntheticLog(24000);
  std::vector<RawSignals> excerpts;
  for (const Index first : {0, 10000, 18000}) {
    std::vector<Index> rows;
    for (Index k = first; k < first + 6000; ++k) rows.push_back(k);
    excerpts.push_back(pickRows(log, rows));
  }
  const SignalPlan whole = planSignals({&log, 1}, {}), bounded = planSignals(excerpts, {});
  EXPECT_EQ(bounded.clock.kind, whole.clock.kind);
  EXPECT_NEAR(bounded.dt, whole.dt, 1e-12);
  EXPECT_NEAR(bounded.cutoff_hz, whole.cutoff_hz, 0.3 * whole.cutoff_hz);
  EXPECT_TRUE(bounded.repaired.empty());
  EXPECT_EQ(bounded.decimation, static_cast<int>(200.0 / (4.0 * bounded.cutoff_hz)));
  ASSERT_EQ(bounded.velocity_delay.size(), 3U);
  for (const DelayEstimate& delay : bounded.velocity_delay) EXPECT_NEAR(delay.lag, 0.0, 3e-4);
}

TEST(Plan, WhatIsAskedIsTaken) {
  const RawSignals log = syntheticLog(4000);
  SignalOptions options;
  options.cutoff_hz = 3.0;
  options.filter_order = 2;
  options.decimation = 5;
  const SignalPlan plan = planSignals({&log, 1}, options);
  EXPECT_EQ(plan.cutoff_hz, 3.0);
  EXPECT_EQ(plan.lowpass().order, 2);
  EXPECT_EQ(plan.decimation, 5);
  EXPECT_EQ(plan.cutoff_reason, "as asked");
}

TEST(Plan, RepairsAreListed) {
  RawSignals log = syntheticLog(4000);
  for (Index k = 1; k < log.rows(); ++k)
    if (k % 8 == 3) log.position.row(k) = log.position.row(k - 1);
  for (Index k = 0; k < log.rows(); ++k) log.time(k) += 4e-4 * std::sin(7.0 * k);
  const SignalPlan plan = planSignals({&log, 1}, {});
  ASSERT_EQ(plan.repaired.size(), 2U);
  EXPECT_THAT(plan.repaired[0], testing::StartsWith("clock (jittered)"));
  EXPECT_THAT(plan.repaired[1], testing::HasSubstr("12.5 % of the moving rows"));
}

TEST(Plan, LogsWithoutAClockOrLengthAreRefused) {
  RawSignals log = syntheticLog(1);
  EXPECT_THAT(
      [&] {
        planSignals({&log, 1}, {});
      },
      testing::ThrowsMessage<InputError>(testing::StartsWith("no clock: no two different")));
  log = syntheticLog(5);
  EXPECT_THAT(
      [&] {
        planSignals({&log, 1}, {});
      },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("longer recording")));
  log = syntheticLog(100);
  log.time.setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(planSignals({&log, 1}, {}), InputError);
}

TEST(Plan, StampsMuchTooCloseTogetherAreRefused) {
  for (const double factor : {1e-5, 1e-9, 1e-100, 1e-300}) {
    RawSignals log = syntheticLog(2000);
    log.time *= factor;
    EXPECT_THAT(
        [&] {
          planSignals({&log, 1}, {});
        },
        testing::ThrowsMessage<InputError>(testing::AllOf(
            testing::StartsWith("the samples are "),
            testing::HasSubstr(" s apart: the time stamps are not in seconds; give their unit"))));
  }
}

}  // namespace
}  // namespace dynid
