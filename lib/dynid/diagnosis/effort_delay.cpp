#include "dynid/diagnosis/effort_delay.h"

#include "dynid/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kEarliest = -0.04, kStep = 0.01;  // [s]
constexpr int kShifts = 21;
constexpr Index kNoShift = 4;
constexpr double kExplainedWell = 0.3;
constexpr double kWorth = 0.1;      // [nat]
constexpr double kSmallest = 1e-4;  // of the variance: below, a channel is explained completely

/// Place of the minimum of equally spaced values; at an end: that end.
double minimumPlace(const Eigen::VectorXd& values) {
  Index k = 0;
  values.minCoeff(&k);
  const double at = kEarliest + kStep * static_cast<double>(k);
  if (k == 0 || k + 1 == values.size()) return at;
  const double curvature = values(k - 1) - 2.0 * values(k) + values(k + 1);
  if (curvature <= 0.0) return at;
  return at + 0.5 * kStep * (values(k - 1) - values(k + 1)) / curvature;
}

}  // namespace

Eigen::VectorXd ofSources(const Eigen::VectorXd& of_channel, const EffortAssignment& assignment) {
  Eigen::VectorXd delay = of_channel;
  for (Index c = 0; c < delay.size(); ++c) delay(assignment.source[c]) = of_channel(c);
  return delay;
}

ChannelDelay findEffortDelay(const ChannelColumns& columns,
                             const MotionStatistics& motion,
                             const ChannelRows& rows,
                             const LogExcerpt& excerpt,
                             const EffortAssignment& assignment,
                             EffortScale scale,
                             int threads) {
  const Index n = columns.channels();
  Eigen::MatrixXd left(kShifts, n);
  parallelFor(kShifts, threads, [&](int k) {
    const Eigen::VectorXd delay =
        Eigen::VectorXd::Constant(n, kEarliest + kStep * static_cast<double>(k));
    const EffortStatistics effort =
        effortStatistics(rows, effortLaterBy(excerpt, delay), excerpt.fold);
    left.row(k) =
        scoreHypothesis(columns, motion, effort, assignment, scale, false).unexplained.transpose();
  });
  const Eigen::MatrixXd logarithm = left.array().max(kSmallest).log();
  ChannelDelay delay;
  delay.of_channel = delay.channel_gain = Eigen::VectorXd::Zero(n);
  delay.common = minimumPlace(logarithm.rowwise().sum());
  for (Index c = 0; c < n; ++c) {
    const double at = minimumPlace(logarithm.col(c));
    const bool inside = at > kEarliest && at < kEarliest + kStep * static_cast<double>(kShifts - 1);
    if (left(kNoShift, c) < kExplainedWell && inside &&
        logarithm(kNoShift, c) - logarithm.col(c).minCoeff() > kWorth) {
      delay.of_channel(c) = at;
      delay.channel_gain(c) = logarithm(kNoShift, c) - logarithm.col(c).minCoeff();
    }
  }
  if (delay.of_channel.isZero(0.0)) return delay;
  const EffortStatistics effort = effortStatistics(
      rows, effortLaterBy(excerpt, ofSources(delay.of_channel, assignment)), excerpt.fold);
  const HypothesisScore corrected =
      scoreHypothesis(columns, motion, effort, assignment, scale, false);
  const Eigen::ArrayXd before = left.row(kNoShift).transpose().array().max(kLeastUnexplained).log();
  delay.gain = (motion.moves * before).sum() - corrected.objective;
  if (delay.gain < 0.0) {
    delay.of_channel.setZero();
    delay.gain = 0.0;
  }
  return delay;
}

}  // namespace dynid
