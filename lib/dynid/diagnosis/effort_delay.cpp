#include "dynid/diagnosis/effort_delay.h"

#include "dynid/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kEarliest = -0.04, kStep = 0.01;  // [s]
constexpr int kShifts = 21;
constexpr double kLatest = kEarliest + kStep * (kShifts - 1);
constexpr double kRefinements[] = {0.02, 0.01, 0.005};  // [s]
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

/// How well delays explain the efforts.
struct DelayScore {
  double objective = 0.0;     // HypothesisScore
  Eigen::VectorXd logarithm;  // [channels] of the unexplained share
};
using ScoreOfDelays = std::function<DelayScore(const Eigen::VectorXd&)>;

Eigen::MatrixXd logarithmOf(const Eigen::MatrixXd& unexplained) {
  return unexplained.array().max(kSmallest).log();
}

/// Improves every delay that is corrected with the others held, and sets the gains of these
/// channels: what each loses without its delay. In the first search all efforts are shifted
/// together, and the efforts of the other channels, then late or early themselves, hide the delay
/// of a single one. A step must improve its own channel: a delay of a channel that is explained
/// already could compensate errors of its neighbours.
/// @returns the objective
double refineDelays(const ScoreOfDelays& score_of, ChannelDelay& delay) {
  const Eigen::VectorXd start = delay.of_channel;
  DelayScore least = score_of(delay.of_channel);
  for (const double step : kRefinements)
    for (Index c = 0; c < start.size(); ++c) {
      if (start(c) == 0.0) continue;
      for (const double direction : {step, -step}) {
        Eigen::VectorXd next = delay.of_channel;
        for (next(c) += direction; next(c) > kEarliest && next(c) < kLatest; next(c) += direction) {
          DelayScore score = score_of(next);
          if (score.logarithm(c) >= least.logarithm(c) || score.objective > least.objective) break;
          least = std::move(score);
          delay.of_channel = next;
        }
      }
    }
  for (Index c = 0; c < start.size(); ++c) {
    if (start(c) == 0.0) continue;
    Eigen::VectorXd others = delay.of_channel;
    others(c) = 0.0;
    delay.channel_gain(c) = score_of(others).logarithm(c) - least.logarithm(c);
  }
  return least.objective;
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
  const Eigen::MatrixXd logarithm = logarithmOf(left);
  ChannelDelay delay;
  delay.of_channel = delay.channel_gain = Eigen::VectorXd::Zero(n);
  delay.common = minimumPlace(logarithm.rowwise().sum());
  for (Index c = 0; c < n; ++c) {
    const double at = minimumPlace(logarithm.col(c));
    const bool inside = at > kEarliest && at < kLatest;
    if (left(kNoShift, c) < kExplainedWell && inside &&
        logarithm(kNoShift, c) - logarithm.col(c).minCoeff() > kWorth) {
      delay.of_channel(c) = at;
      delay.channel_gain(c) = logarithm(kNoShift, c) - logarithm.col(c).minCoeff();
    }
  }
  if (delay.of_channel.isZero(0.0)) return delay;
  const ScoreOfDelays score_of = [&](const Eigen::VectorXd& of_channel) -> DelayScore {
    const EffortStatistics effort = effortStatistics(
        rows, effortLaterBy(excerpt, ofSources(of_channel, assignment)), excerpt.fold);
    const HypothesisScore score =
        scoreHypothesis(columns, motion, effort, assignment, scale, false);
    return {score.objective, logarithmOf(score.unexplained)};
  };
  const Eigen::ArrayXd before = left.row(kNoShift).transpose().array().max(kLeastUnexplained).log();
  const double without = (motion.moves * before).sum();
  if (score_of(delay.of_channel).objective > without) {
    delay.of_channel.setZero();
    return delay;
  }
  delay.gain = without - refineDelays(score_of, delay);
  return delay;
}

}  // namespace dynid
