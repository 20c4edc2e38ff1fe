#include "dynid/core/errors.h"
#include "dynid/diagnosis/hypothesis_search.h"
#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

constexpr double kHardlyMoves = 0.1;  // [rad] range of a joint
// Factors of positions from 1.16 to 3.5, and their reciprocals. Factors nearer to 1 may compensate
// an inexact description. Factors beyond this range make the joint nearly rest, which hides another
// mistake in its column.
constexpr double kLeastLogFactor = 0.15, kLargestLogFactor = 1.25;
// A simple ratio replaces the best factor if their logarithms differ by less than this and most of
// the gain remains, because friction shifts the best factor by a few percent.
constexpr double kLikeRatio = 0.08, kGainOfRatio = 0.85;
// If the logged velocities confirm the clock, another clock is accepted only if it leaves at most
// this share of the variance of every joint. Velocities that were computed with a wrong clock
// confirm it as well.
constexpr double kExplainedByClock = 0.05;
// [s] Delays of a position. A best one near the longest explains nothing.
constexpr double kFirstLateness = 0.03, kLongestLateness = 0.24, kEndOfLateness = 0.22,
                 kFinestLateness = 0.002;
constexpr int kRoundsOfLateness = 3;

constexpr double kOtherNumber = 0.2;  // relative difference

/// The best of hypotheses that differ in one number: by the fit, and by the description.
struct BestTried {
  std::optional<TriedHypothesis> fitted, described;

  void consider(const std::optional<TriedHypothesis>& hypothesis) {
    if (!hypothesis) return;
    if (!fitted || explainsMore(*hypothesis, *fitted)) fitted = hypothesis;
    if (!described || describesMore(*hypothesis, *described)) described = hypothesis;
  }

  /// Both where the second one may be named and is another number, else the more certain one.
  std::vector<TriedHypothesis> taken() const {
    if (!fitted) return {};
    if (described->described_gain < kDescribedCertainty) return {*fitted};
    const double a = fitted->mistake.value, b = described->mistake.value;
    if (std::abs(a - b) > kOtherNumber * std::max(std::abs(a), std::abs(b)))
      return {*fitted, *described};
    return {described->certainty() > fitted->certainty() ? *described : *fitted};
  }
};

}  // namespace

std::vector<HypothesisSearch::Task> HypothesisSearch::motionTasks() {
  std::vector<Task> tasks;
  for (Index j = 0; j < n_; ++j) {
    tasks.push_back([this, j] { return trySigns(j); });
    tasks.push_back([this, j] { return tryZeros(j); });
    if (base_.motion.moves(j) != 0.0) tasks.push_back([this, j] { return tryFactors(j); });
  }
  addLatePositions(tasks);
  addSteps(tasks);
  addOrders(tasks);
  addUnits(tasks);
  return tasks;
}

std::vector<TriedHypothesis> HypothesisSearch::trySigns(Index j) {
  const Mistake position{Kind::kPositionSign, {static_cast<int>(j)}};
  const Mistake axis{Kind::kAxisSign, {static_cast<int>(j)}};
  try {
    const MotionPass pass = passOf(columns_, undone(position));
    return {tried(position, pass, columns_, asLogged(n_)),
            tried(axis, pass, columns_, undoneEfforts(axis, *robot_, gains_))};
  } catch (const InputError&) {
    loops_not_closed_ += 2;
    return {};
  }
}

std::vector<TriedHypothesis> HypothesisSearch::tryZeros(Index j) {
  if (robot_->joints[j].prismatic) return {};
  BestTried best;
  const auto one = [&](double degrees) {
    best.consider(triedMotion({Kind::kPositionZero, {static_cast<int>(j)}, degrees * kDegree}));
  };
  for (const double degrees : {90.0, 180.0, -90.0, 30.0, -30.0, 10.0, -10.0}) one(degrees);
  const auto refine = [&](const std::optional<TriedHypothesis>& centre) {
    for (const double finer : {15.0, 7.0, 3.5, 1.75, 0.9}) {
      const double at = centre->mistake.value / kDegree;
      one(at + finer);
      one(at - finer);
    }
  };
  if (best.fitted && best.fitted->gain >= kSmallestGain) refine(best.fitted);
  if (best.described && best.described->described_gain >= kWorthRefining) refine(best.described);
  return best.taken();
}

std::vector<TriedHypothesis> HypothesisSearch::tryFactors(Index j) {
  const auto one = [&](double factor) -> std::optional<TriedHypothesis> {
    const double size = std::abs(std::log(factor));
    if (size < kLeastLogFactor || size > kLargestLogFactor) return std::nullopt;
    const Mistake mistake{Kind::kPositionScale, {static_cast<int>(j)}, factor};
    // A joint that would rest then is not scored, and would seem to be explained.
    if (movingChannels(undone(mistake).q.col(j))(0) == 0.0) return std::nullopt;
    return triedMotion(mistake);
  };
  std::optional<TriedHypothesis> best;
  const auto consider = [&](double factor) {
    auto hypothesis = one(factor);
    if (hypothesis && (!best || hypothesis->gain > best->gain)) best = std::move(hypothesis);
  };
  for (const double factor : {2.0, 0.5}) consider(factor);
  if (worthAWarning())
    for (const double factor : {4.0 / 3.0, 0.75}) consider(factor);
  if (!best) return {};
  if (best->gain < kWorthRefining) return {std::move(*best)};
  for (const double finer : {1.4, 1.2, 1.1, 1.05, 1.025}) {
    const double centre = best->mistake.value;
    consider(centre * finer);
    consider(centre / finer);
  }
  // A best factor at the end of the range indicates another mistake in the column.
  if (std::abs(std::log(best->mistake.value)) > kLargestLogFactor - 0.05) return {};
  for (const double ratio : {1.0 / 3.0, 0.5, 2.0 / 3.0, 0.8, 1.25, 1.5, 2.0, 3.0}) {
    if (std::abs(std::log(best->mistake.value / ratio)) > kLikeRatio) continue;
    auto simple = one(ratio);
    if (simple && simple->gain > kGainOfRatio * best->gain) best = std::move(simple);
    break;
  }
  return {std::move(*best)};
}

void HypothesisSearch::addLatePositions(std::vector<Task>& tasks) {
  // Nothing that could be gained would be named.
  if (results_.as_logged.objective - smallestObjective(n_) < kPlainCertainty) return;
  const double common = median({results_.effort_delay.begin(), results_.effort_delay.end()});
  const Eigen::MatrixXd effort = effortLaterBy(excerpt_, Eigen::VectorXd::Constant(n_, common));
  const double as_logged = leftOf(effort, motion());
  for (Index j = 0; j < n_; ++j)
    if (base_.motion.moves(j) != 0.0)
      tasks.push_back(
          [this, j, effort, as_logged] { return tryLatePosition(j, effort, as_logged); });
}

double HypothesisSearch::leftOf(const Eigen::MatrixXd& effort, const ColumnMotion& changed) {
  ++passes_;
  const ChannelRows rows = columns_.rows(changed);
  const MotionPass pass{motionStatistics(columns_, weightless_, changed, rows, excerpt_.fold),
                        effortStatistics(rows, effort, excerpt_.fold)};
  const HypothesisScore found = score(pass, columns_, asLogged(n_), false, kFewRounds);
  return (pass.motion.moves * found.unexplained.array().max(kLeastOfDelays).log()).sum();
}

ColumnMotion HypothesisSearch::withLaterPosition(Index j, double seconds) const {
  ColumnMotion later = motion();
  const ChannelMotion own = motionLaterBy(excerpt_, j, seconds);
  later.q.col(j) = own.q;
  later.dq.col(j) = own.dq;
  later.ddq.col(j) = own.ddq;
  return later;
}

std::vector<TriedHypothesis> HypothesisSearch::tryLatePosition(Index j,
                                                               Eigen::MatrixXd effort,
                                                               double as_logged) {
  double best = 0.0, least = as_logged;
  const auto one = [&](double seconds) {
    if (std::abs(seconds) > kLongestLateness) return false;
    const double left = leftOf(effort, withLaterPosition(j, seconds));
    if (left >= least) return false;
    best = seconds;
    least = left;
    return true;
  };
  const auto refine = [&] {
    for (double step = 0.25 * std::abs(best); step > kFinestLateness; step *= 0.5) {
      const double centre = best;
      one(centre + step);
      one(centre - step);
    }
  };
  try {
    for (const double sign : {1.0, -1.0})
      for (double seconds = kFirstLateness; one(sign * seconds);) seconds *= 2.0;
    if (as_logged - least < kWorthRefining) return {};
    refine();
    const auto own = [&] { return passWithOwnDelays(withLaterPosition(j, best), asLogged(n_), 1); };
    double before = 0.0;
    for (int round = 0; round < kRoundsOfLateness && best != before; ++round) {
      before = best;
      effort = effortLaterBy(excerpt_, own().delay);
      least = leftOf(effort, withLaterPosition(j, best));
      refine();
    }
    if (std::abs(best) > kEndOfLateness) return {};  // the best lies outside
    const Mistake mistake{Kind::kPositionDelay, {static_cast<int>(j)}, best};
    return {tried(mistake, own().pass, columns_, asLogged(n_))};
  } catch (const InputError&) {
    ++loops_not_closed_;
    return {};
  }
}

void HypothesisSearch::addSteps(std::vector<Task>& tasks) {
  for (const LogGap& gap : longestGaps(excerpt_))
    for (Index j = 0; j < n_; ++j)
      if (base_.motion.moves(j) != 0.0) tasks.push_back([this, j, gap] { return tryStep(j, gap); });
}

std::vector<TriedHypothesis> HypothesisSearch::tryStep(Index j, const LogGap& gap) {
  std::optional<TriedHypothesis> best;
  const auto one = [&](double value) {
    Mistake mistake{Kind::kPositionStep, {static_cast<int>(j)}, value};
    mistake.before_s = gap.begin_s;
    mistake.from_s = gap.end_s;
    try {
      ColumnMotion changed = motion();
      changed.q.col(j).tail(changed.q.rows() - gap.row).array() -= value;
      TriedHypothesis hypothesis =
          tried(mistake, passOf(columns_, changed), columns_, asLogged(n_));
      // A step hardly changes the postures. A better similarity to the gravity torques of rods is
      // therefore not counted as a gain.
      hypothesis.gravity_gain = std::min(hypothesis.gravity_gain, 0.0);
      if (!best || explainsMore(hypothesis, *best)) best = std::move(hypothesis);
    } catch (const InputError&) {
      ++loops_not_closed_;
    }
  };
  const std::vector<double> starts = firstSteps(excerpt_.q.col(j), robot_->joints[j].prismatic);
  const double first = starts.front();
  for (const double start : starts) one(start);
  if (!best || best->gain < kWorthRefining) return {};
  for (int round = 0; round < 3; ++round) {
    const double before = best->gain;
    one(2.0 * best->mistake.value);
    if (best->gain == before) break;
  }
  for (double step = 0.25 * std::abs(best->mistake.value); step > 0.1 * first; step *= 0.5) {
    const double centre = best->mistake.value;
    one(centre + step);
    one(centre - step);
  }
  return {std::move(*best)};
}

void HypothesisSearch::addOrders(std::vector<Task>& tasks) {
  std::vector<int> order(n_);
  std::iota(order.begin(), order.end(), 0);
  const auto one = [&](bool swap) {
    tasks.push_back([this, order, swap] { return tryOrder(order, swap); });
  };
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      if (!worthAPair(static_cast<Index>(i), static_cast<Index>(j))) continue;
      std::swap(order[i], order[j]);
      one(true);
      std::swap(order[i], order[j]);
    }
  if (n_ < 3) return;
  std::reverse(order.begin(), order.end());
  one(false);
  std::reverse(order.begin(), order.end());
  std::rotate(order.begin(), order.begin() + 1, order.end());
  one(false);
  std::rotate(order.begin(), order.end() - 2, order.end());
  one(false);
}

std::vector<TriedHypothesis> HypothesisSearch::tryOrder(const std::vector<int>& order, bool swap) {
  for (size_t c = 0; c < order.size(); ++c)
    if (!swap && robot_->joints[c].prismatic != robot_->joints[order[c]].prismatic) return {};
  Mistake mistake;
  if (swap) {
    for (int c = 0; c < std::ssize(order); ++c)
      if (order[c] != c) mistake.joints.push_back(c);
  } else {
    mistake.order = order;
  }
  mistake.kind = swap ? Kind::kPositionSwap : Kind::kPositionOrder;
  Mistake whole = mistake;
  whole.kind = swap ? Kind::kColumnSwap : Kind::kColumnOrder;
  try {
    const MotionPass pass = passOf(columns_, undone(mistake));
    return {tried(mistake, pass, columns_, asLogged(n_)),
            tried(whole, pass, columns_, undoneEfforts(whole, *robot_, gains_))};
  } catch (const InputError&) {
    loops_not_closed_ += 2;
    return {};
  }
}

bool HypothesisSearch::contradictsVelocities(const TriedHypothesis& hypothesis) const {
  return excerpt_.clock_confirmed && hypothesis.mistake.kind == Kind::kTimeScale &&
         hypothesis.unexplained.maxCoeff() > kExplainedByClock;
}

std::vector<TriedHypothesis> HypothesisSearch::tryClocks() {
  BestTried best;
  const auto one = [&](double factor) {
    auto hypothesis = triedMotion({Kind::kTimeScale, {}, factor});
    if (hypothesis && !contradictsVelocities(*hypothesis)) best.consider(hypothesis);
  };
  const auto refine = [&](const std::optional<TriedHypothesis>& centre) {
    for (const double finer : {1.4, 1.2, 1.1, 1.05, 1.025}) {
      const double at = centre->mistake.value;
      one(at * finer);
      one(at / finer);
    }
  };
  for (const double factor : {2.0, 0.5}) one(factor);
  if (best.fitted && best.fitted->gain >= kSmallestGain) refine(best.fitted);
  if (described_.known())
    for (const double factor : {0.7, 1.4, 0.3, 3.0}) one(factor);
  if (best.described && best.described->described_gain >= kWorthRefining) refine(best.described);
  return best.taken();
}

void HypothesisSearch::addUnits(std::vector<Task>& tasks) {
  const auto one = [&](Mistake mistake) {
    tasks.push_back([this, mistake = std::move(mistake)]() -> std::vector<TriedHypothesis> {
      auto hypothesis = triedMotion(mistake);
      if (!hypothesis || contradictsVelocities(*hypothesis)) return {};
      return {std::move(*hypothesis)};
    });
  };
  tasks.push_back([this] { return tryClocks(); });
  // A joint that would hardly move in degrees was not recorded in degrees.
  const Eigen::RowVectorXd range =
      excerpt_.q.colwise().maxCoeff() - excerpt_.q.colwise().minCoeff();
  bool any = false;
  for (int j = 0; j < static_cast<int>(n_); ++j) {
    if (robot_->joints[j].prismatic || kDegree * range(j) <= kHardlyMoves) continue;
    any = true;
    one({Kind::kPositionUnit, {j}, kDegree});
  }
  if (any) one({Kind::kPositionUnit, {}, kDegree});
  one({Kind::kPositionUnit, {}, 1.0 / kDegree});
}

}  // namespace dynid
