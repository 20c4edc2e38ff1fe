#include "dynid/signals/prefilter.h"

#include "dynid/signals/audit.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/exact_motion.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using std::numbers::pi;

constexpr double kRate = 200.0;

/// 30 s of two joints with a mass, friction that jumps, and noise.
struct Log {
  MatrixXd position, effort;
};

Log simulated(double highest_hz, double step = 1e-5, double effort_noise = 0.1) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  Log log{MatrixXd::Zero(6000, 2), MatrixXd::Zero(6000, 2)};
  for (Index k = 0; k < 6000; ++k)
    for (Index j = 0; j < 2; ++j) {
      double q = 0.0, dq = 0.0, ddq = 0.0;
      for (int line = 1; 0.1 * line <= highest_hz; ++line) {
        const double w = 2.0 * pi * 0.1 * line;
        const double angle = w * static_cast<double>(k) / kRate + line * line + 1.3 * j;
        const double size = 0.3 / line;
        q += size * std::sin(angle);
        dq += size * w * std::cos(angle);
        ddq -= size * w * w * std::sin(angle);
      }
      log.position(k, j) = step > 0.0 ? std::round(q / step) * step : q;
      log.effort(k, j) = 2.0 * ddq + dq + 3.0 * (dq > 0.0 ? 1.0 : -1.0) + 5.0 * std::sin(q) +
                         effort_noise * normal(generator);
    }
  return log;
}

/// 30 s of two light joints, five harmonics of a period of 10 s and a tracking error of 1e-4 rad
/// below 4 Hz. The effort has smooth friction, noise below 31 Hz, and the products of both motions
/// that an inertia gives that depends on the other joint.
Log withShelf(std::uint64_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const auto filtered_noise = [&](double hz, double size) {
    MatrixXd noise = MatrixXd::NullaryExpr(6000, 2, [&] { return normal(generator); });
    filterZeroPhase(designLowpass(1, hz, kRate), noise);
    return MatrixXd(noise * (size / std::sqrt(noise.squaredNorm() / 12000.0)));
  };
  Log log{filtered_noise(4.0, 1e-4), filtered_noise(31.0, 0.02)};
  for (Index j = 0; j < 2; ++j)
    for (int line = 1; line <= 5; ++line) {
      const double a = 0.2 * normal(generator), b = 0.2 * normal(generator);
      for (Index k = 0; k < 6000; ++k) {
        const double angle = 2.0 * pi * 0.1 * line * static_cast<double>(k) / kRate;
        log.position(k, j) += a * std::cos(angle) + b * std::sin(angle);
      }
    }
  for (Index j = 0; j < 2; ++j)
    for (Index k = 0; k < 6000; ++k) {
      const Index at = std::clamp<Index>(k, 1, 5998);
      const auto q = [&](Index joint, Index row) { return log.position(row, joint); };
      const auto dq = [&](Index joint) {
        return 0.5 * kRate * (q(joint, at + 1) - q(joint, at - 1));
      };
      const double ddq = kRate * kRate * (q(j, at + 1) - 2.0 * q(j, at) + q(j, at - 1));
      const double other = q(1 - j, at);
      log.effort(k, j) += 0.06 * ddq + 0.4 * dq(j) + std::tanh(dq(j) / 0.02) +
                          ddq * std::cos(2.0 * other) -
                          2.0 * dq(j) * dq(1 - j) * std::sin(2.0 * other);
    }
  log.position = log.position.unaryExpr([](double q) { return 1e-5 * std::round(1e5 * q); });
  return log;
}

CutoffChoice choose(const Log& log) {
  const std::vector<MatrixXd> positions{log.position}, efforts{log.effort};
  return chooseCutoff(positions, kRate, kRate, {}, efforts);
}

void filterTwice(double hz, MatrixXd& columns) {
  filterZeroPhase(designLowpass(2, hz, kRate), columns);
}

TEST(Prefilter, OfEffortsIsFoundAndLimitsTheCutoff) {
  const CutoffChoice right = choose(simulated(2.5));
  EXPECT_TRUE(std::isnan(right.prefilter_hz));
  for (const double hz : {8.0, 10.0, 15.0}) {
    Log log = simulated(2.5);
    filterTwice(hz, log.effort);
    const CutoffChoice choice = choose(log);
    EXPECT_NEAR(choice.prefilter_hz, hz, 0.3 * hz);
    EXPECT_LE(choice.cutoff_hz, 0.46 * hz);
    EXPECT_EQ(choice.motion_cutoff_hz, right.cutoff_hz) << hz;
    EXPECT_EQ(choice.lowered_by_prefilter, right.cutoff_hz > choice.cutoff_hz) << hz;
  }
}

// A UR10 of 14 s was left with 44 samples for 63 parameters: 5.7 % error on the rest of its log in
// place of 3.7 %.
TEST(Prefilter, LeavesEnoughSamplesOfAShortLog) {
  Log log = simulated(2.5);
  filterTwice(8.0, log.effort);
  const double of_long_log = choose(log).cutoff_hz;
  EXPECT_LT(of_long_log, 3.7);
  for (const Index rows : {1500, 1700}) {
    const double seconds = static_cast<double>(rows) / kRate;
    const CutoffChoice choice =
        choose({MatrixXd(log.position.topRows(rows)), MatrixXd(log.effort.topRows(rows))});
    EXPECT_FALSE(std::isnan(choice.prefilter_hz));
    EXPECT_NEAR(4.0 * choice.cutoff_hz * seconds, 120.0, 1e-6) << rows;
    EXPECT_GE(choice.motion_cutoff_hz, choice.cutoff_hz);
  }
}

// One effort is enough: each channel may have a filter of its own.
TEST(Prefilter, TheLowerOfTwoCounts) {
  Log log = simulated(2.5);
  MatrixXd first = log.effort.col(0), second = log.effort.col(1);
  filterTwice(16.0, first);
  filterTwice(9.0, second);
  log.effort << first, second;
  EXPECT_NEAR(choose(log).prefilter_hz, 9.0, 2.7);
}

// A steep filter leaves no noise at high frequencies, so that the positions look like simulated
// ones, which are not filtered; the friction of such logs was wrong by 40 to 50 %.
TEST(Prefilter, IsFoundWherePositionsLookExactBehindIt) {
  for (const double highest_hz : {0.8, 2.5}) {
    Log log = simulated(highest_hz);
    for (MatrixXd* columns : {&log.position, &log.effort})
      filterZeroPhase(designLowpass(4, 10.0, kRate), *columns);
    RawSignals raw;
    raw.time = Eigen::VectorXd::LinSpaced(6000, 0.0, 5999.0 / kRate);
    raw.position = log.position;
    raw.effort = log.effort;
    ASSERT_TRUE(judgeMotion({&log.position, 1}, 1.0 / kRate, 0.02).exact());
    const SignalPlan plan = planSignals({&raw, 1}, {});
    EXPECT_NEAR(plan.prefilter_hz, 10.0, 3.0) << highest_hz;
    EXPECT_FALSE(plan.exact_motion) << highest_hz;
    EXPECT_GT(plan.motion_cutoff_hz, 2.0 * highest_hz);
  }
}

// Without the floor below the filter the cut-off would be 15 times the frequency of the motion.
TEST(Prefilter, PositionNoiseIsMeasuredBelowIt) {
  const CutoffChoice right = choose(simulated(0.5));
  Log log = simulated(0.5);
  filterTwice(10.0, log.effort);
  filterTwice(10.0, log.position);
  const CutoffChoice choice = choose(log);
  EXPECT_LT(choice.cutoff_hz, 1.5 * right.cutoff_hz);
  EXPECT_NEAR(choice.noise(0), right.noise(0), 0.5 * right.noise(0));
}

std::vector<Finding> audited(const Log& log, double cutoff_hz) {
  RawSignals raw;
  raw.time = Eigen::VectorXd::LinSpaced(6000, 0.0, 5999.0 / kRate);
  raw.position = log.position;
  raw.effort = log.effort;
  SignalOptions options;
  options.cutoff_hz = cutoff_hz;
  AuditContext context;
  context.joint_names = {"a", "b"};
  std::vector<Finding> found;
  for (const Finding& finding : auditLog(std::vector<RawSignals>{raw}, options, context))
    if (finding.code == "effort-low-passed") found.push_back(finding);
  return found;
}

TEST(Prefilter, IsSaid) {
  const double chosen = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(audited(simulated(0.5), chosen).empty());
  Log log = simulated(0.5);
  filterTwice(10.0, log.effort);
  filterTwice(10.0, log.position);
  const std::vector<Finding> note = audited(log, chosen), warning = audited(log, 10.0);
  ASSERT_EQ(note.size(), 1U);
  EXPECT_EQ(note[0].severity, Finding::Severity::kNote);
  EXPECT_NEAR(note[0].value, 10.0, 3.0);
  ASSERT_EQ(warning.size(), 1U);
  EXPECT_EQ(warning[0].severity, Finding::Severity::kWarning);
}

TEST(Prefilter, RightLogsAreNotAccused) {
  for (const double highest : {0.5, 2.5, 6.0})
    for (const double step : {0.0, 1e-5, 7.7e-4})
      for (const double noise : {0.0, 0.02, 0.5})
        EXPECT_TRUE(std::isnan(choose(simulated(highest, step, noise)).prefilter_hz))
            << highest << " Hz, step " << step << ", noise " << noise;
}

// Without noise and jumps, the effort of a smooth motion ends as steeply as behind a filter, at two
// or three times the frequency of the motion.
TEST(Prefilter, TheEndOfAnExactMotionIsNoFilter) {
  Log log{MatrixXd::Zero(6000, 2), MatrixXd::Zero(6000, 2)};
  for (Index k = 0; k < 6000; ++k) {
    double q[2] = {0.0, 0.0}, dq[2] = {0.0, 0.0}, ddq[2] = {0.0, 0.0};
    for (int j = 0; j < 2; ++j)
      for (int line = 1; line <= 10; ++line) {
        const double w = 2.0 * pi * 0.1 * line;
        const double angle = w * static_cast<double>(k) / kRate + 1.7 * line * line + 1.3 * j;
        q[j] += 0.2 * std::sin(angle);
        dq[j] += 0.2 * w * std::cos(angle);
        ddq[j] -= 0.2 * w * w * std::sin(angle);
      }
    for (int j = 0; j < 2; ++j) {
      log.position(k, j) = q[j];
      log.effort(k, j) = ddq[j] + 0.3 * dq[j] + ddq[1 - j] * std::cos(q[1 - j]) -
                         dq[0] * dq[1] * std::sin(q[1 - j]) + 9.0 * std::sin(q[0] + j * q[1]);
    }
  }
  const std::vector<MatrixXd> positions{log.position}, efforts{log.effort};
  EXPECT_FALSE(std::isnan(chooseCutoff(positions, kRate, kRate, {}, efforts).prefilter_hz));
  EXPECT_TRUE(std::isnan(chooseCutoff(positions, kRate, kRate, {}, efforts, true).prefilter_hz));
  RawSignals raw;
  raw.time = Eigen::VectorXd::LinSpaced(6000, 0.0, 5999.0 / kRate);
  raw.position = log.position;
  raw.effort = log.effort;
  EXPECT_TRUE(planSignals({&raw, 1}, {}).exact_motion);

  filterTwice(20.0, log.effort);  // far above the motion: found
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  MatrixXd noise = MatrixXd::NullaryExpr(6000, 2, [&] { return 0.1 * normal(generator); });
  filterTwice(20.0, noise);
  const std::vector<MatrixXd> filtered{log.effort + noise};
  EXPECT_NEAR(chooseCutoff(positions, kRate, kRate, {}, filtered, true).prefilter_hz, 20.0, 6.0);
}

// The effort of the products ends steeply at three times the frequency of the motion. Behind it is
// friction with a slope of few dB per octave, which falls again only where friction and noise end.
TEST(Prefilter, AShelfBehindTheMotionIsNoFilter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_TRUE(std::isnan(choose(withShelf(seed)).prefilter_hz)) << seed;
}

}  // namespace
}  // namespace dynid
