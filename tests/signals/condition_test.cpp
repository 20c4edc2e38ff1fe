#include "dynid/signals/condition.h"

#include "dynid/math/nan.h"
#include "dynid/signals/back_at_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

SignalPlan planOf(const RawSignals& log, double cutoff_hz = kNaN) {
  SignalOptions options;
  options.cutoff_hz = cutoff_hz;
  return planSignals({&log, 1}, options);
}

RawSignals windowOf(const RawSignals& log, Index first, Index count) {
  std::vector<Index> rows;
  for (Index k = first; k < first + count; ++k) rows.push_back(k);
  return pickRows(log, rows);
}

// The filters do not know the motion in the gap: one period of the cut-off is left out on each
// side.
TEST(Condition, SamplesBesideAGapInMotionAreNotUsed) {
  const RawSignals log = syntheticLog(8000);
  std::vector<Index> rows;
  for (Index k = 0; k < 8000; ++k)
    if (k < 4000 || k >= 4300) rows.push_back(k);
  RawSignals gap = pickRows(log, rows);
  const auto beside = [](const RawSignals& window) {
    const SignalPlan plan = planOf(window, 8.0);
    const ConditionedSignals signals = condition(window, plan);
    EXPECT_EQ(signals.segments.size(), 2u);
    double nearest = kNaN;
    const double begin = window.time(3999), end = window.time(4000);
    for (Index i = 0; i < signals.time.size(); ++i) {
      if (isLeftOut(signals, plan, i)) continue;
      const double t = signals.time(i), distance = t <= begin ? begin - t : t - end;
      if (!(distance >= nearest)) nearest = distance;
    }
    return nearest;
  };
  EXPECT_NEAR(beside(gap), 1.0 / 8.0, 0.01);
  for (Index k = 3500; k < 4500; ++k) gap.position.row(k) = gap.position.row(3500);
  EXPECT_NEAR(beside(gap), 0.0, 1e-9);
}

TEST(Condition, RecoversMotionAndItsDerivatives) {
  const RawSignals log = syntheticLog(8000);
  const SignalPlan plan = planOf(log, 8.0);
  const ConditionedSignals signals = condition(log, plan);
  ASSERT_EQ(signals.time.size(), 8000);
  EXPECT_EQ(signals.effort, log.effort);  // every row lies on its own sample: copied
  for (Index k = 400; k < 7600; ++k) {
    const double t = signals.time(k);
    for (Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(signals.q(k, j), SyntheticMotion::q(t, j), 3e-5);
      EXPECT_NEAR(signals.dq(k, j), SyntheticMotion::dq(t, j), 1e-3);
      EXPECT_NEAR(signals.ddq(k, j), SyntheticMotion::ddq(t, j), 0.02);
    }
  }
}

// A log that begins and ends while the robot moves: the motion goes on with its acceleration, and
// does not turn it around.
// Efforts that were filtered before call for a low cut-off of the rows. The motion keeps its own.
TEST(Condition, TheCutOffOfTheRowsDoesNotChangeTheMotion) {
  const RawSignals log = syntheticLog(8000);
  for (const MotionModel motion : {MotionModel::kFiltered, MotionModel::kSpline}) {
    SignalPlan plan = planOf(log, 8.0);
    plan.motion = motion;
    const ConditionedSignals expected = condition(log, plan);
    plan.setCutoffs(2.0, 8.0);
    EXPECT_EQ(plan.lowpass().cutoff_hz, 2.0);
    const ConditionedSignals signals = condition(log, plan);
    EXPECT_EQ(signals.q, expected.q);
    EXPECT_EQ(signals.ddq, expected.ddq);
    plan.setCutoff(2.0);
    EXPECT_NE(condition(log, plan).ddq, expected.ddq);
  }
}

TEST(Condition, RecoversMotionAtTheEndsOfALogInMotion) {
  const RawSignals log = syntheticLog(8000);
  for (const MotionModel model : {MotionModel::kFiltered, MotionModel::kSpline}) {
    SCOPED_TRACE(static_cast<int>(model));
    SignalPlan plan = planOf(log, 8.0);
    plan.motion = model;
    const ConditionedSignals signals = condition(log, plan);
    double worst = 0.0, largest = 0.0;
    for (Index k = 0; k < 8000; k = k == 79 ? 7920 : k + 1)
      for (Index j = 0; j < 3; ++j) {
        const double truth = SyntheticMotion::ddq(signals.time(k), j);
        worst = std::max(worst, std::abs(signals.ddq(k, j) - truth));
        largest = std::max(largest, std::abs(truth));
      }
    EXPECT_LT(worst, 0.1 * largest);
  }
}

// Near a hole the filters know one side only.
TEST(Condition, SamplesAroundMissingRequiredRowsAreLeftOut) {
  RawSignals log = syntheticLog(8000);
  log.required = MatrixXd::Zero(8000, 1);
  const SignalPlan plan = planOf(log, 8.0);
  const double around = 1.0 / plan.cutoff_hz;
  const auto used = [&] {
    const ConditionedSignals signals = condition(log, plan);
    std::vector<double> times;
    for (const Index k : coreSamples(signals, plan)) times.push_back(signals.time(k));
    return times;
  };
  const std::vector<double> all = used();
  log.required.col(0).segment(200, 3).setConstant(kNaN);  // is interpolated
  EXPECT_EQ(used(), all);
  log.required.col(0).segment(3000, 1000).setConstant(kNaN);
  log.required.col(0).tail(500).setConstant(kNaN);
  const double begin = log.time(2999), end = log.time(4000), last = log.time(7499);
  std::vector<double> expected;
  for (const double t : all)
    if ((t < begin - around || t > end + around) && t < last - around) expected.push_back(t);
  EXPECT_EQ(used(), expected);
}

TEST(Condition, ASplineRecoversMotionAndItsDerivatives) {
  const RawSignals log = syntheticLog(8000);
  SignalPlan plan = planOf(log, 8.0);
  plan.motion = MotionModel::kSpline;
  const ConditionedSignals signals = condition(log, plan);
  for (Index k = 400; k < 7600; ++k) {
    const double t = signals.time(k);
    for (Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(signals.q(k, j), SyntheticMotion::q(t, j), 3e-5);
      EXPECT_NEAR(signals.dq(k, j), SyntheticMotion::dq(t, j), 1e-3);
      EXPECT_NEAR(signals.ddq(k, j), SyntheticMotion::ddq(t, j), 0.02);
    }
  }
  // A window with its margin agrees with the whole log.
  const ConditionedSignals part = condition(windowOf(log, 3000, 3001), plan);
  for (Index k = 1200; k < 1800; ++k) EXPECT_NEAR(part.ddq(k, 1), signals.ddq(3000 + k, 1), 1e-6);
}

// Rounding errors of the filter would be all the motion that the joint has.
TEST(Condition, AJointWhosePositionNeverChangesIsExactlyAtRest) {
  RawSignals log = syntheticLog(8000);
  log.position.col(1).setConstant(-0.54681621);
  SignalPlan plan = planOf(log, 8.0);
  for (const MotionModel motion : {MotionModel::kFiltered, MotionModel::kSpline}) {
    plan.motion = motion;
    const ConditionedSignals signals = condition(log, plan);
    EXPECT_TRUE((signals.q.col(1).array() == -0.54681621).all());
    EXPECT_TRUE(signals.dq.col(1).isZero(0.0));
    EXPECT_TRUE(signals.ddq.col(1).isZero(0.0));
    EXPECT_FALSE(signals.dq.col(0).isZero(0.1));
  }
}

TEST(Condition, TheSplineHasTheBandwidthOfTheFilter) {
  // Vibration around the cut-off, motion that goes on at both ends, and standstill in between.
  RawSignals log = syntheticLog(6000);
  for (Index k = 0; k < log.rows(); ++k) {
    if (k > 2000 && k < 3000) log.position.row(k) = log.position.row(2000);
    log.position(k, 0) += 0.01 * std::sin(2.0 * std::numbers::pi * 6.0 * log.time(k));
    log.position(k, 1) += 0.01 * std::sin(2.0 * std::numbers::pi * 9.0 * log.time(k));
  }
  SignalPlan plan = planOf(log, 8.0);
  const ConditionedSignals filtered = condition(log, plan);
  plan.motion = MotionModel::kSpline;
  const ConditionedSignals spline = condition(log, plan);
  for (Index j = 0; j < 3; ++j) {
    const auto off = [j](const MatrixXd& a, const MatrixXd& b) {
      return (a.col(j) - b.col(j)).norm() / b.col(j).norm();
    };
    EXPECT_LT(off(spline.dq, filtered.dq), 1e-2) << j;
    EXPECT_LT(off(spline.ddq, filtered.ddq), 2e-2) << j;
  }
}

TEST(Condition, TheSplineOfASlowLogFollowsFastMotion) {
  // 25 Hz, cut-off 5 Hz, motion at 3 Hz: no more is lost than by the filter, 0.8 %.
  RawSignals log = syntheticLog(1000, 0.04);
  const double w = 2.0 * std::numbers::pi * 3.0;
  for (Index k = 0; k < log.rows(); ++k) log.position(k, 1) = std::sin(w * log.time(k));
  SignalPlan plan = planOf(log, 5.0);
  plan.motion = MotionModel::kSpline;
  const ConditionedSignals signals = condition(log, plan);
  for (Index k = 100; k < 900; ++k)
    EXPECT_NEAR(signals.ddq(k, 1), -w * w * std::sin(w * signals.time(k)), 0.008 * w * w);
}

TEST(Condition, LateEffortsAreTakenBack) {
  const RawSignals log = syntheticLog(4000);
  SignalPlan plan = planOf(log, 8.0);
  const ConditionedSignals prompt = condition(log, plan);
  for (const double delay : {0.0137, -0.0137}) {
    RawSignals late = log;  // smooth efforts, recorded `delay` later
    for (Index k = 0; k < late.rows(); ++k)
      for (Index j = 0; j < 3; ++j)
        late.effort(k, j) = std::sin(2.0 * (log.time(k) - delay) + static_cast<double>(j));
    plan.effort_delay = Eigen::VectorXd::Constant(3, delay);
    const ConditionedSignals signals = condition(late, plan);
    EXPECT_EQ(signals.time.size(), prompt.time.size() - 3);
    for (Index k = 0; k < signals.time.size(); ++k)
      for (Index j = 0; j < 3; ++j)
        EXPECT_NEAR(
            signals.effort(k, j), std::sin(2.0 * signals.time(k) + static_cast<double>(j)), 1e-6);
  }
}

TEST(Condition, EffortsWithDelaysOfTheirOwnAreTakenBack) {
  RawSignals log = syntheticLog(4000);
  SignalPlan plan = planOf(log, 8.0);
  const Index samples = condition(log, plan).time.size();
  plan.effort_delay = Eigen::Vector3d(0.0, 0.0137, -0.0061);
  for (Index k = 0; k < log.rows(); ++k)
    for (Index j = 0; j < 3; ++j)
      log.effort(k, j) = std::sin(2.0 * (log.time(k) - plan.effort_delay(j)));
  const ConditionedSignals signals = condition(log, plan);
  EXPECT_LT(signals.time.size(), samples);  // both ends are cut
  for (Index k = 0; k < signals.time.size(); ++k)
    for (Index j = 0; j < 3; ++j)
      EXPECT_NEAR(signals.effort(k, j), std::sin(2.0 * signals.time(k)), 1e-6);
}

TEST(Condition, WindowsWithMarginsEqualTheWholeAndTileIt) {
  const RawSignals log = syntheticLog(12000);
  const SignalPlan plan = planOf(log);
  const ConditionedSignals whole = condition(log, plan);
  const auto margin = static_cast<Index>(std::ceil(plan.margin() / plan.dt));
  const Index core = 3000;
  std::vector<std::int64_t> used;
  for (Index first = 0; first < log.rows(); first += core) {
    const Index begin = std::max<Index>(0, first - margin);
    const Index end = std::min(log.rows(), first + core + margin);
    const ConditionedSignals window = condition(windowOf(log, begin, end - begin), plan);
    const double core_begin = first == 0 ? -1e9 : log.time(first);
    const double core_end = first + core >= log.rows() ? 1e9 : log.time(first + core);
    for (const Index k : coreSamples(window, plan, core_begin, core_end)) {
      const std::int64_t i = window.grid_index[k];
      used.push_back(i);
      EXPECT_LT((window.q.row(k) - whole.q.row(i)).cwiseAbs().maxCoeff(), 1e-12) << i;
      EXPECT_LT((window.dq.row(k) - whole.dq.row(i)).cwiseAbs().maxCoeff(), 1e-10) << i;
      EXPECT_LT((window.ddq.row(k) - whole.ddq.row(i)).cwiseAbs().maxCoeff(), 1e-7) << i;
    }
  }
  std::vector<std::int64_t> expected;
  for (const Index k : coreSamples(whole, plan)) expected.push_back(k);
  EXPECT_EQ(used, expected);
}

TEST(Condition, UnusableRowsAreBridgedAndCounted) {
  RawSignals log = syntheticLog(6000);
  for (Index k = 500; k < 5500; k += 100) log.position(k, 1) = kNaN;
  const SignalPlan plan = planOf(log, 5.0);
  const ConditionedSignals signals = condition(log, plan);
  EXPECT_EQ(signals.counts.not_finite, 50);
  EXPECT_EQ(signals.counts.kept + 50, signals.counts.read);
  EXPECT_EQ(signals.segments.size(), 1U);
  EXPECT_EQ(signals.time.size(), 6000);
  EXPECT_TRUE(signals.q.allFinite() && signals.effort.allFinite());
  EXPECT_NEAR(signals.q(1000, 1), SyntheticMotion::q(5.0, 1), 5e-5);
  EXPECT_NEAR(signals.row_time(1000), 5.0, 1e-6);
}

TEST(Condition, NothingIsInterpolatedAcrossAGap) {
  RawSignals log = syntheticLog(6000);
  for (Index k = 3000; k < 6000; ++k) log.time(k) += 1.0;
  const SignalPlan plan = planOf(log, 5.0);
  const ConditionedSignals signals = condition(log, plan);
  ASSERT_EQ(signals.segments.size(), 2U);
  EXPECT_EQ(signals.time.size(), 6000);
  for (const double t : signals.time) EXPECT_TRUE(t < 14.996 || t > 15.999);
  // The two sides of a gap do not affect each other.
  const ConditionedSignals alone = condition(windowOf(log, 3000, 3000), plan);
  EXPECT_EQ(alone.q, signals.q.bottomRows(3000));
}

TEST(Condition, SnippetsBetweenGapsAreCountedOut) {
  RawSignals log = syntheticLog(3000);
  for (Index k = 2000; k < 3000; ++k) log.time(k) += 1.0;
  for (Index k = 2005; k < 3000; ++k) log.time(k) += 1.0;
  const ConditionedSignals signals = condition(log, planOf(log, 5.0));
  EXPECT_EQ(signals.counts.short_segment, 5);
  EXPECT_EQ(signals.counts.kept, 2995);
}

TEST(Condition, WhatIsTakenOutOfAWindowIsWhatACopyWouldBe) {
  for (const bool gap : {false, true}) {
    RawSignals log = syntheticLog(3000);
    if (gap) log.time.tail(1000).array() += 1.0;
    const SignalPlan plan = planOf(log, 8.0);
    const ConditionedSignals copied = onClock(log, plan);
    RawSignals spare = log;
    const ConditionedSignals taken = takeOntoClock(spare, plan);
    EXPECT_EQ(spare.position.size() == 0, !gap);  // a single piece can be moved
    EXPECT_EQ(spare.time, log.time);
    EXPECT_EQ(taken.q, copied.q);
    EXPECT_EQ(taken.effort, copied.effort);
    EXPECT_EQ(taken.time, copied.time);
    EXPECT_EQ(taken.grid_index, copied.grid_index);
    EXPECT_EQ(taken.segments.size(), copied.segments.size());
  }
}

TEST(Condition, PredictionsComeBackToTheLogsOwnStamps) {
  RawSignals fine = syntheticLog(12000, 0.002);
  std::vector<Index> rows;
  for (Index k = 0; k < fine.rows(); k += (k / 7) % 2 == 0 ? 5 : 6) rows.push_back(k);
  const RawSignals log = pickRows(fine, rows);
  const SignalPlan plan = planOf(log, 8.0);
  EXPECT_EQ(plan.clock.kind, ClockKind::kIrregular);
  const ConditionedSignals signals = condition(log, plan);
  const MatrixXd back = BackAtTimes(signals.time, signals.segments, signals.row_time).of(signals.q);
  for (Index k = 100; k + 100 < log.rows(); ++k)
    EXPECT_NEAR(back(k, 0), SyntheticMotion::q(log.time(k), 0), 1e-4);
  VectorXd odd(3);
  odd << kNaN, -100.0, 1e6;
  const MatrixXd ends = BackAtTimes(signals.time, signals.segments, odd).of(signals.q);
  EXPECT_TRUE(std::isnan(ends(0, 0)));
  EXPECT_DOUBLE_EQ(ends(1, 0), signals.q(0, 0));
  EXPECT_DOUBLE_EQ(ends(2, 0), signals.q(signals.q.rows() - 1, 0));
}

TEST(BackAtTimes, LateColumnsAreReadEarlier) {
  const VectorXd clock = VectorXd::LinSpaced(401, 0.0, 4.0);
  const std::vector<Segment> segments{{0, 401}};
  const VectorXd times = VectorXd::LinSpaced(50, 0.5, 3.4);
  MatrixXd values(401, 3);
  for (Index j = 0; j < 3; ++j)
    values.col(j) = (3.0 * clock.array() + static_cast<double>(j)).sin();
  const Eigen::Vector3d delays(0.03, 0.0, -0.0047);
  const MatrixXd late = BackAtLateTimes(clock, segments, times, delays).of(values);
  for (Index j = 0; j < 3; ++j)
    for (Index k = 0; k < times.size(); ++k)
      EXPECT_NEAR(
          late(k, j), std::sin(3.0 * (times(k) - delays(j)) + static_cast<double>(j)), 1e-7);
  const MatrixXd in_time = BackAtTimes(clock, segments, times).of(values);
  EXPECT_EQ(BackAtLateTimes(clock, segments, times, {}).of(values), in_time);
}

TEST(BackAtTimes, TimesOfTheClockAreCopiesWhereverTheyStand) {
  const VectorXd clock = VectorXd::LinSpaced(20, 0.0, 1.9);
  const MatrixXd values = MatrixXd::Random(20, 2);
  const std::vector<Segment> segments{{0, 8}, {8, 20}};
  VectorXd times(6);
  times << 0.3, 0.4, 1.5, kNaN, 0.0, 1.9;
  const MatrixXd back = BackAtTimes(clock, segments, times).of(values);
  const Index expected[] = {3, 4, 15, -1, 0, 19};
  for (Index k = 0; k < 6; ++k) {
    if (expected[k] >= 0) {
      EXPECT_EQ(back.row(k), values.row(expected[k])) << k;
    }
  }
  EXPECT_TRUE(back.row(3).array().isNaN().all());
  for (const Index first : {0, 9}) {  // adjacent, and not quite
    VectorXd near = clock.segment(first, 5);
    EXPECT_EQ(BackAtTimes(clock, segments, near).of(values), values.middleRows(first, 5));
    near(1) = near(0);
    EXPECT_EQ(BackAtTimes(clock, segments, near).of(values).row(1), values.row(first));
  }
  EXPECT_THROW(BackAtTimes(clock, segments, times).of(values.topRows(3)), std::invalid_argument);
}

TEST(Condition, SegmentsAreFilteredApart) {
  RawSignals log = syntheticLog(4000);
  for (Index k = 2000; k < 4000; ++k) log.time(k) += 1.0;
  const SignalPlan plan = planOf(log, 5.0);
  const ConditionedSignals signals = condition(log, plan);
  MatrixXd step = MatrixXd::Zero(4000, 1);
  step.bottomRows(2000).setOnes();
  FilterWorkspace workspace;
  filterSegments(signals, plan.lowpass(), step, workspace);
  EXPECT_LT(step.topRows(2000).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((step.bottomRows(2000).array() - 1.0).abs().maxCoeff(), 1e-12);
  EXPECT_THAT(
      [&] { filterSegments(signals, plan.lowpass(), step.topRows(9), workspace); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("9 rows for 4000 samples")));
}

TEST(Condition, TheSameWindowGivesTheSameBits) {
  const RawSignals log = syntheticLog(3000);
  const SignalPlan plan = planOf(log);
  EXPECT_EQ(condition(log, plan).ddq, condition(log, plan).ddq);
}

TEST(Condition, AnEmptyWindowIsEmpty) {
  const RawSignals log = syntheticLog(3000);
  const SignalPlan plan = planOf(log);
  const ConditionedSignals none = condition(windowOf(log, 0, 0), plan);
  EXPECT_EQ(none.time.size(), 0);
  EXPECT_TRUE(none.segments.empty());
  EXPECT_EQ(condition(windowOf(log, 0, 3), plan).counts.short_segment, 3);
}

}  // namespace
}  // namespace dynid
