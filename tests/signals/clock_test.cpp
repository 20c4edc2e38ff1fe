#include "dynid/signals/clock.h"

#include "dynid/math/nan.h"
#include "dynid/signals/rebuild.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

ClockModel clockOf(const RawSignals& log) { return estimateClock({&log, 1}, kNaN); }

/// Root mean square of rebuilt minus true time, without the common offset.
double clockError(const RawSignals& log, const std::function<double(Index)>& truth) {
  const RebuiltClock clock = rebuildClock(log, clockOf(log));
  VectorXd error(clock.time.size());
  for (Index k = 0; k < error.size(); ++k) error(k) = clock.time(k) - truth(clock.rows[k]);
  return std::sqrt((error.array() - error.mean()).square().mean());
}

TEST(Clock, AUniformClockIsKeptToTheBit) {
  const RawSignals log = syntheticLog();
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kUniform);
  EXPECT_NEAR(model.step, 0.005, 1e-12);
  EXPECT_FALSE(model.drop_repeated);
  const RebuiltClock clock = rebuildClock(log, model);
  EXPECT_EQ(clock.counts.kept, log.rows());
  EXPECT_LT((clock.time - log.time).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Clock, MillisecondStampsOfARegularClockGiveItsTrueStep) {
  // Ticks of 1.024 ms, stamped in whole milliseconds; every twentieth packet is lost.
  RawSignals log = syntheticLog(9000, 0.001024);
  std::mt19937 generator(1);
  std::bernoulli_distribution lost(0.05);
  std::vector<Index> rows;
  for (Index k = 0; k < log.rows(); ++k)
    if (!lost(generator)) rows.push_back(k);
  for (double& t : log.time) t = std::round(1e3 * t) / 1e3;
  const RawSignals logged = pickRows(log, rows);
  const ClockModel model = clockOf(logged);
  EXPECT_NE(model.kind, ClockKind::kIrregular);
  EXPECT_NEAR(model.step, 0.001024, 1e-8);
  EXPECT_LT(clockError(logged, [&](Index k) { return 0.001024 * static_cast<double>(rows[k]); }),
            1e-5);
}

TEST(Clock, TheMotionTellsTheStepUnderStampsOfWholeSeconds) {
  RawSignals log = syntheticLog(4000, 0.005);
  for (double& t : log.time) t = std::floor(t + 1e-6);
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kQuantised);
  EXPECT_NEAR(model.rows_per_stamp, 210.0, 5.0);
  EXPECT_NEAR(model.step, 0.005, 5e-5);
  EXPECT_EQ(rebuildClock(log, model).counts.kept, log.rows());
}

/// A log whose stamps are whole multiples of `width`, with some rows lost. `rows` receives the
/// numbers of the rows that are left.
RawSignals coarselyStamped(double step, double width, double lost, std::vector<Index>& rows) {
  RawSignals log = syntheticLog(static_cast<Index>(20.0 / step), step);
  std::mt19937 generator(5);
  std::bernoulli_distribution is_lost(lost);
  rows.clear();
  for (Index k = 0; k < log.rows(); ++k)
    if (!is_lost(generator)) rows.push_back(k);
  for (double& t : log.time) t = width * std::floor(t / width + 1e-6);
  return pickRows(log, rows);
}

TEST(Clock, RowsThatShareCoarseStampsAreKeptAtTheirOwnTimes) {
  for (const auto& [step, width] :
       {std::pair{0.005, 0.01}, {0.002, 0.01}, {0.004, 0.01}, {0.001, 0.004}, {0.008, 0.01}})
    for (const double position_noise : {0.0, 1e-3}) {
      std::vector<Index> rows;
      RawSignals log = coarselyStamped(step, width, 0.0, rows);
      std::mt19937 generator(6);
      std::normal_distribution<double> normal;
      for (double& q : log.position.reshaped()) q += position_noise * normal(generator);
      const ClockModel model = clockOf(log);
      EXPECT_NEAR(model.step, step, 1e-4 * step) << width;
      EXPECT_THAT(model.reason, testing::HasSubstr("rows on average have the same time stamp"));
      EXPECT_EQ(rebuildClock(log, model).counts.kept, log.rows()) << step << ' ' << width;
      EXPECT_LT(clockError(log, [&, s = step](Index k) { return s * static_cast<double>(k); }),
                0.01 * step)
          << step << ' ' << width << ' ' << model.reason;
    }
}

TEST(Clock, LostRowsUnderCoarseStampsAreCountedFromTheMotion) {
  for (const auto& [step, width] : {std::pair{0.005, 0.01}, {0.002, 0.01}, {0.008, 0.01}}) {
    std::vector<Index> rows;
    const RawSignals log = coarselyStamped(step, width, 0.02, rows);
    const ClockModel model = clockOf(log);
    EXPECT_EQ(rebuildClock(log, model).counts.kept, log.rows()) << step << ' ' << width;
    EXPECT_LT(clockError(log, [&, s = step](Index k) { return s * static_cast<double>(rows[k]); }),
              0.05 * step)
        << step << ' ' << width << ' ' << model.reason;
  }
}

TEST(Clock, WindowsOfCoarseStampsAgreeWithTheWhole) {
  std::vector<Index> rows;
  const RawSignals log = coarselyStamped(0.005, 0.01, 0.0, rows);
  const ClockModel model = clockOf(log);
  const RebuiltClock whole = rebuildClock(log, model);
  for (const Index first : {1000, 1001}) {
    const std::vector<Index> some(rows.begin() + first, rows.begin() + first + 1500);
    const RebuiltClock window = rebuildClock(pickRows(log, some), model);
    EXPECT_LT((window.time - whole.time.segment(first, 1500)).cwiseAbs().maxCoeff(), 1e-9) << first;
  }
}

TEST(Clock, LostAndDoubledPacketsUnderLateStampsAreCountedFromTheMotion) {
  const RawSignals log = syntheticLog(9000, 0.001);
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> fate(0.0, 1.0);
  std::exponential_distribution<double> latency(1.0 / 0.0004);
  std::vector<Index> rows;
  std::vector<double> stamps;
  double last = 0.0;
  for (Index k = 0; k < log.rows(); ++k) {
    const double dice = fate(generator);
    if (dice < 0.05) continue;
    for (int copy = 0; copy < (dice > 0.95 ? 2 : 1); ++copy) {
      last = std::max(last + 2e-4, 0.001 * static_cast<double>(k) + latency(generator));
      rows.push_back(k);
      stamps.push_back(last);
    }
  }
  RawSignals logged = pickRows(log, rows);
  logged.time = Eigen::Map<VectorXd>(stamps.data(), static_cast<Index>(stamps.size()));
  const ClockModel model = clockOf(logged);
  EXPECT_EQ(model.kind, ClockKind::kQuantised);
  EXPECT_NEAR(model.step, 0.001, 1e-8);  // limit given by the stamps: 0.4 ms sqrt(12 / 8500) / 9 s
  EXPECT_TRUE(model.drop_repeated);
  EXPECT_NEAR(model.repeated_fraction, 0.05, 0.01);
  EXPECT_GT(model.roughness_gain, 5.0);
  EXPECT_THAT(model.reason, testing::HasSubstr("whole ticks"));
  // Ticks are exact except for a few rows in which all joints are slow (and a tick has little
  // effect).
  const RebuiltClock clock = rebuildClock(logged, model);
  std::vector<double> errors;
  for (Index k = 0; k < clock.time.size(); ++k)
    errors.push_back(clock.time(k) -
                     0.001 * static_cast<double>(rows[clock.rows[static_cast<std::size_t>(k)]]));
  std::vector<double> sorted = errors;
  std::sort(sorted.begin(), sorted.end());
  const double common = sorted[sorted.size() / 2];
  const auto off = std::count_if(
      errors.begin(), errors.end(), [&](double e) { return std::abs(e - common) > 2e-5; });
  EXPECT_LT(static_cast<double>(off), 0.01 * static_cast<double>(errors.size()));
}

TEST(Clock, JitteredStampsOfARegularClockAreReplaced) {
  RawSignals log = syntheticLog(6000, 0.01);
  const VectorXd truth = log.time;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (double& t : log.time) t += 5e-4 * std::clamp(normal(generator), -3.0, 3.0);
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kJittered);
  EXPECT_NEAR(model.step, 0.01, 1e-7);
  EXPECT_NEAR(model.jitter, 5e-4, 5e-5);
  EXPECT_LT(clockError(log, [&](Index k) { return truth(k); }), 2e-5);
}

TEST(Clock, StepsThatReallyDifferAreBelieved) {
  // A controller that logs every fifth or sixth of its 2 ms cycles: the stamps are right.
  RawSignals log;
  const RawSignals fine = syntheticLog(30000, 0.002);
  std::mt19937 generator(4);
  std::bernoulli_distribution longer(0.33);
  std::vector<Index> rows;
  for (Index k = 0; k < fine.rows(); k += longer(generator) ? 6 : 5) rows.push_back(k);
  log = pickRows(fine, rows);
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kIrregular);
  EXPECT_LT(clockError(log, [&](Index k) { return log.time(k); }), 1e-12);
}

TEST(Clock, BurstsOfLateRowsAreSpreadByTheMotion) {
  // A logger that runs every 25 ms and stamps all queued rows.
  RawSignals log = syntheticLog(6000, 0.005);
  for (Index k = 0; k < log.rows(); ++k)
    log.time(k) =
        0.025 * std::floor(0.2 * static_cast<double>(k) + 0.01) + 1e-5 * static_cast<double>(k % 5);
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kQuantised) << model.reason;
  EXPECT_NEAR(model.step, 0.005, 1e-7);
  EXPECT_LT(clockError(log, [](Index k) { return 0.005 * static_cast<double>(k); }), 1e-4);
}

TEST(Clock, HeldRowsOfASlowSourceAreDropped) {
  RawSignals log = syntheticLog(6000, 0.005);
  for (Index k = 1; k < log.rows(); ++k)
    if (k % 8 == 3) log.position.row(k) = log.position.row(k - 1);
  const ClockModel model = clockOf(log);
  EXPECT_TRUE(model.drop_repeated);
  EXPECT_NEAR(model.repeated_fraction, 1.0 / 8.0, 0.005);
  const RebuiltClock clock = rebuildClock(log, model);
  EXPECT_NEAR(static_cast<double>(clock.counts.repeated), 750.0, 30.0);
  EXPECT_EQ(clock.counts.kept + clock.counts.repeated, clock.counts.read);
  EXPECT_EQ(clock.segments.size(), 1U);
}

TEST(Clock, GapsSplitAndBackwardRowsDrop) {
  RawSignals log = syntheticLog(4000);
  for (Index k = 2000; k < 4000; ++k) log.time(k) += 3.0;
  log.time(1000) = -5.0;
  log.time(1500) = log.time(1499);
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kUniform);
  EXPECT_NEAR(model.step, 0.005, 1e-9);
  const RebuiltClock clock = rebuildClock(log, model);
  ASSERT_EQ(clock.segments.size(), 2U);
  EXPECT_EQ(clock.counts.backward, 1);
  EXPECT_EQ(clock.counts.duplicate_time, 1);
  EXPECT_NEAR(clock.time(clock.segments[1].begin), 13.0, 1e-9);
  EXPECT_NEAR(clock.row_time(1000), log.time(999) + (-5.0 - log.time(999)), 1e-9);
}

TEST(Clock, WindowsAgreeWithTheWhole) {
  RawSignals log = syntheticLog(6000, 0.01);
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (double& t : log.time) t += 5e-4 * std::clamp(normal(generator), -3.0, 3.0);
  const ClockModel model = clockOf(log);
  const RebuiltClock whole = rebuildClock(log, model);
  std::vector<Index> rows;
  for (Index k = 2500; k < 4500; ++k) rows.push_back(k);
  const RebuiltClock window = rebuildClock(pickRows(log, rows), model);
  EXPECT_LT((window.time - whole.time.segment(2500, 2000)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Clock, NothingToGoByIsRefused) {
  RawSignals log = syntheticLog(100);
  log.time.setConstant(3.0);
  EXPECT_THAT([&] { clockOf(log); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "no two different time stamps in 100 usable rows; "
                  "expected at least two"));
  EXPECT_THROW(clockOf(syntheticLog(1)), std::invalid_argument);
  EXPECT_THROW(estimateClock({}, kNaN), std::invalid_argument);
}

TEST(Clock, ALogAtRestStillHasAClock) {
  RawSignals log = syntheticLog(500);
  log.position.setZero();
  const ClockModel model = clockOf(log);
  EXPECT_EQ(model.kind, ClockKind::kUniform);
  EXPECT_NEAR(model.step, 0.005, 1e-12);
}

}  // namespace
}  // namespace dynid
