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

/// Statistics of the efforts of an assignment, late by a delay each. Products of a channel with the
/// efforts of others are left out.
class LateStatistics {
 public:
  LateStatistics(const ChannelRows& rows,
                 const LogExcerpt& excerpt,
                 const EffortAssignment& assignment)
      : rows_(rows), excerpt_(excerpt), assignment_(assignment), statistics_(noEfforts(rows)) {}

  /// Sets the products of a channel with column `k` of these.
  void set(Index channel, const ChannelProducts& products, Index k) {
    const Index from = assignment_.source[channel];
    const auto c = static_cast<size_t>(channel);
    for (size_t f = 0; f < products.moments.size(); ++f) {
      statistics_.moments[f][c].col(from) = products.moments[f].col(k);
      statistics_.power[f](channel, from) = products.power(static_cast<Index>(f), k);
    }
    statistics_.variance(channel, from) = products.variance(k);
  }

  const EffortStatistics& get() const { return statistics_; }

  /// Computes the products of channels whose delays differ from those of the call before.
  const EffortStatistics& at(const Eigen::VectorXd& of_channel) {
    for (Index c = 0; c < of_channel.size(); ++c) {
      if (delays_.size() > 0 && delays_(c) == of_channel(c)) continue;
      const Eigen::MatrixXd effort =
          effortLaterBy(excerpt_, assignment_.source[c], of_channel.segment<1>(c));
      set(c, channelProducts(rows_, c, effort, excerpt_.fold), 0);
    }
    delays_ = of_channel;
    return statistics_;
  }

 private:
  const ChannelRows& rows_;
  const LogExcerpt& excerpt_;
  const EffortAssignment& assignment_;
  EffortStatistics statistics_;
  Eigen::VectorXd delays_;
};

/// [shifts x channels] What the model leaves of the efforts if all of them are shifted by the same
/// time.
Eigen::MatrixXd leftByShifts(const LateStatistics& none,
                             const ChannelRows& rows,
                             const LogExcerpt& excerpt,
                             const EffortAssignment& assignment,
                             int threads,
                             const std::function<Eigen::VectorXd(const EffortStatistics&)>& left) {
  const Index n = rows.used.cols();
  const Eigen::VectorXd shifts = Eigen::VectorXd::NullaryExpr(
      kShifts, [](Index k) { return kEarliest + kStep * static_cast<double>(k); });
  std::vector<ChannelProducts> products(n);
  parallelFor(static_cast<int>(n), threads, [&](int c) {
    products[c] = channelProducts(
        rows, c, effortLaterBy(excerpt, assignment.source[c], shifts), excerpt.fold);
  });
  Eigen::MatrixXd all(kShifts, n);
  parallelRanges(kShifts, threads, [&](Index first, Index end) {
    LateStatistics late = none;
    for (Index k = first; k < end; ++k) {
      for (Index c = 0; c < n; ++c) late.set(c, products[c], k);
      all.row(k) = left(late.get()).transpose();
    }
  });
  return all;
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
  LateStatistics late(rows, excerpt, assignment);
  const auto score = [&](const EffortStatistics& effort) {
    return scoreHypothesis(columns, motion, effort, assignment, scale, false);
  };
  const Eigen::MatrixXd left =
      leftByShifts(late, rows, excerpt, assignment, threads, [&](const EffortStatistics& effort) {
        return score(effort).unexplained;
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
    const HypothesisScore found = score(late.at(of_channel));
    return {found.objective, logarithmOf(found.unexplained)};
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
