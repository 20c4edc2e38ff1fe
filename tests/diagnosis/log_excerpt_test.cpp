#include "dynid/diagnosis/log_excerpt.h"

#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace dynid {
namespace {

using Eigen::Index;

// With parts of the log, each fold of five periods held the motion of all others.
TEST(LogExcerpt, FoldsOfARepeatedMotionArePartsOfItsPeriod) {
  constexpr double kPeriod = 6.0;  // [s]
  RawSignals rows = support::simulatedLog(*support::simulatedArm()).windows.front();
  for (Index j = 0; j < rows.position.cols(); ++j)
    for (Index i = 0; i < rows.rows(); ++i) {
      const double phase = 2.0 * std::numbers::pi * rows.time(i) / kPeriod;
      rows.position(i, j) = std::sin(phase + static_cast<double>(j)) + 0.4 * std::sin(3.0 * phase);
    }
  const LogExcerpt excerpt = excerptOf({&rows, 1}, {});
  ASSERT_GT(excerpt.rows(), 500);
  int pairs = 0, elsewhere = 0;
  for (Index r = 0; r < excerpt.rows(); ++r) {
    const double time = excerpt.step * static_cast<double>(excerpt.sample_of_row[r]);
    for (Index k = 0; k < excerpt.rows(); ++k) {
      const double later = excerpt.step * static_cast<double>(excerpt.sample_of_row[k]);
      if (std::abs(later - time - kPeriod) > 2.0 * excerpt.step) continue;
      ++pairs;
      elsewhere += excerpt.fold[k] != excerpt.fold[r];
    }
  }
  ASSERT_GT(pairs, 300);
  EXPECT_LT(elsewhere, pairs / 5);  // rows beside the border of two parts
  EXPECT_EQ(std::set<int>(excerpt.fold.begin(), excerpt.fold.end()).size(), 5u);
}

/// The simulated log with rest before and after it.
RawSignals withStandstill(Index before, Index after) {
  const RawSignals motion = support::simulatedLog(*support::simulatedArm()).windows.front();
  RawSignals log;
  const Index rows = before + motion.rows() + after;
  log.time = Eigen::VectorXd::LinSpaced(rows, 0.0, 0.01 * static_cast<double>(rows - 1));
  log.position.resize(rows, motion.position.cols());
  log.effort.resize(rows, motion.effort.cols());
  for (Index i = 0; i < rows; ++i) {
    const Index from = std::clamp<Index>(i - before, 0, motion.rows() - 1);
    log.position.row(i) = motion.position.row(from);
    log.effort.row(i) = motion.effort.row(from);
  }
  return log;
}

// Friction holds any part of the efforts at standstill.
TEST(LogExcerpt, HoldsTheMotionOfALogThatIsMostlyStandstill) {
  constexpr Index kBefore = 6000, kMotion = 3000, kAfter = 21000;
  const RawSignals log = withStandstill(kBefore, kAfter);
  const LogExcerpt excerpt = excerptOf({&log, 1}, {});
  ASSERT_GT(excerpt.rows(), 900);
  for (const Index sample : excerpt.sample_of_row) {
    EXPECT_GT(sample, kBefore - 100);  // the filter widens the motion
    EXPECT_LT(sample, kBefore + kMotion + 100);
  }
}

TEST(LogExcerpt, KeepsStandstillBesideAFewSamplesOfMotion) {
  RawSignals log = withStandstill(2000, 2000);
  log.time = log.time.head(2200).eval();  // two seconds of motion
  log.position = log.position.topRows(2200).eval();
  log.effort = log.effort.topRows(2200).eval();
  const LogExcerpt excerpt = excerptOf({&log, 1}, {});
  EXPECT_LT(excerpt.sample_of_row.front(), 100);
}

// In two stretches, and at delays between samples.
// An excavator, say. At 4 Hz nothing could be said about it.
TEST(LogExcerpt, OfASlowMotionWithACoarseEncoderHasALowerCutoff) {
  RawSignals rows;
  rows.time = Eigen::VectorXd::LinSpaced(6001, 0.0, 300.0);
  const auto logged = [&](double step) {
    rows.position = (0.25 * std::numbers::pi * rows.time.array()).sin() * 0.5;
    rows.position = (rows.position / step).array().round() * step;
    rows.effort = rows.position;
    return excerptOf({&rows, 1}, {false});
  };
  EXPECT_NEAR(logged(1e-6).cutoff_hz, 4.0, 1e-9);
  const LogExcerpt coarse = logged(5e-3);
  EXPECT_LT(coarse.cutoff_hz, 2.1);
  EXPECT_GT(coarse.cutoff_hz, 0.5) << "the motion has a frequency of 0.125 Hz";
  EXPECT_FALSE(coarse.anyCoarse());
  const Eigen::ArrayXd right = -std::pow(0.25 * std::numbers::pi, 2) * coarse.q.array();
  EXPECT_LT((coarse.ddq.array() - right).matrix().norm(), 0.5 * right.matrix().norm());
}

TEST(LogExcerpt, MotionAndEffortAreReadLater) {
  RawSignals log = support::simulatedLog(*support::simulatedArm()).windows.front();
  log.time.tail(1500).array() += 5.0;
  const double w = 2.0 * std::numbers::pi * 0.3;
  for (Index i = 0; i < log.rows(); ++i) {
    log.position(i, 1) = std::sin(w * log.time(i));
    log.effort(i, 2) = std::cos(w * log.time(i));
  }
  const LogExcerpt excerpt = excerptOf({&log, 1}, {});
  ASSERT_EQ(excerpt.stretches.size(), 2U);
  for (const double delay : {0.0, 0.043, -0.028}) {
    const ChannelMotion later = motionLaterBy(excerpt, 1, delay);
    const Eigen::MatrixXd effort = effortLaterBy(excerpt, 2, Eigen::VectorXd::Constant(1, delay));
    for (Index r = 0; r < excerpt.rows(); ++r) {
      const LogExcerpt::Stretch& stretch = excerpt.stretches[excerpt.stretch_of_row[r]];
      const double t =
          stretch.begin_s + excerpt.step * static_cast<double>(excerpt.sample_of_row[r]);
      if (t < stretch.begin_s + 1.0 || t > stretch.end_s - 1.0) continue;  // edges of the filter
      EXPECT_NEAR(later.q(r), std::sin(w * (t + delay)), 2e-3);
      EXPECT_NEAR(later.dq(r), w * std::cos(w * (t + delay)), 5e-3);
      EXPECT_NEAR(later.ddq(r), -w * w * std::sin(w * (t + delay)), 2e-2);
      EXPECT_NEAR(effort(r, 0), std::cos(w * (t + delay)), 2e-3);
    }
  }
}

}  // namespace
}  // namespace dynid
