#include "dynid/diagnosis/cheapest_assignment.h"
#include "dynid/diagnosis/hypothesis_search.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

// With a factor as large as this, friction and drive inertia of the joint alone explain its effort,
// and the links are those of the other joints. Scales have to gain more than that: the effort of
// TIAGo's torso gains 3.35 nat with 52 times and 3.34 nat with this, right scales 1.9 nat more.
constexpr double kOfItsOwn = 1e4;
// The longest factor that triedScales can reach is 3150: there the best factor lies outside, or
// another effort is wrong.
constexpr double kEndOfScales = 3000.0;
// Logarithm of the factor between an effort and the torque of the described links from which it is
// tried: 1.75. Of 276 right logs of simulated robots with inexact descriptions, wrists had up to
// 1.6.
constexpr double kOffTheDescription = 0.56;
constexpr double kUnequal = 1.2;       // limits, largest over smallest
constexpr double kLargestShare = 3.0;  // of a rated torque, for a short time
constexpr double kShortestLongDelay = 0.08, kDelayStep = 0.04;  // [s]
// [s] Delays up to the first are tried. If the best of them is the longest, those up to the second
// are tried as well. A best one at that end explains nothing.
constexpr double kUsualDelay = 0.48, kLongestDelay = 1.0;

/// The number that stands for an effort limit if the efforts are shares of these limits: 1, 100
/// (percent) or 1000; 0: the limits are unknown or equal, so that shares differ by one factor only.
double numberOfWholeLimit(const Robot& robot, const Eigen::MatrixXd& effort) {
  double least = kInfinity, most = 0.0;
  for (const Joint& joint : robot.joints) {
    least = std::min(least, joint.limits.effort);
    most = std::max(most, joint.limits.effort);
  }
  if (!(least > 0.0) || !std::isfinite(most) || most < kUnequal * least) return 0.0;
  const double largest = effort.cwiseAbs().maxCoeff();
  for (const double whole : {1.0, 100.0})
    if (largest < kLargestShare * whole) return whole;
  return 1000.0;
}

int movedPlaces(const std::vector<int>& order) {
  int moved = 0;
  for (int i = 0; i < std::ssize(order); ++i) moved += order[i] != i;
  return moved;
}

}  // namespace

std::vector<HypothesisSearch::Task> HypothesisSearch::effortTasks() const {
  std::vector<Task> tasks;
  const auto one = [&](Mistake mistake) {
    tasks.push_back(
        [this, mistake = std::move(mistake)] { return std::vector{triedEffort(mistake)}; });
  };
  for (int j = 0; j < static_cast<int>(n_); ++j) {
    one({Kind::kEffortSign, {j}});
    if (scale_ == EffortScale::kKnown) tasks.push_back([this, j] { return triedScales(j); });
    if (described_.known()) tasks.push_back([this, j] { return triedDescribedScale(j); });
    for (int i = 0; i < j; ++i) {
      if (!worthAPair(i, j)) continue;
      one({Kind::kEffortSwap, {i, j}});
      // Two reversed efforts are undone together: with only one of them undone, the fit need not
      // improve.
      if (n_ > 2) one({Kind::kEffortSign, {i, j}});
    }
  }
  one({Kind::kEffortSign});
  tasks.push_back([this] { return triedShares(); });
  const std::vector<int> order =
      cheapestAssignment(separateScores(columns_, base_.motion, base_.effort));
  if (movedPlaces(order) <= 2) return tasks;
  Mistake mistake{Kind::kEffortOrder};
  mistake.order = order;
  one(mistake);
  return tasks;
}

std::vector<TriedHypothesis> HypothesisSearch::triedScales(int j) const {
  TriedHypothesis best;
  best.gain = -kInfinity;
  const auto one = [&](double factor) {
    const Mistake mistake{Kind::kEffortScale, {j}, factor};
    const HypothesisScore corrected =
        score(base_, columns_, undoneEfforts(mistake, *robot_, gains_), false, kFewRounds);
    const double gain = results_.as_logged.objective - corrected.objective;
    if (gain > best.gain) best = {mistake, gain, 0.0, corrected.unexplained, 0};
  };
  for (const double factor :
       {1e-3, 1e-2, 0.03, 0.1, 0.3, 0.5, 0.7, 1.4, 2.0, 3.0, 10.0, 30.0, 1e2, 1e3})
    one(factor);
  if (best.gain < kWorthRefining) return {best};
  for (const double finer : {1.8, 1.35, 1.15, 1.07, 1.035, 1.017}) {
    const double centre = best.mistake.value;
    one(centre * finer);
    one(centre / finer);
  }
  if (std::abs(std::log(best.mistake.value)) > std::log(kEndOfScales)) return {};
  TriedHypothesis scaled = triedEffort(best.mistake);
  if (scaled.gain < gainOfItsOwn(j) + kSmallestGain) return {};
  return {std::move(scaled)};
}

std::vector<TriedHypothesis> HypothesisSearch::triedDescribedScale(int j) const {
  const double slope = described_.slope(j);
  if (slope <= 0.0 || std::abs(std::log(slope)) < kOffTheDescription) return {};
  return {triedEffort({Kind::kEffortScale, {j}, 1.0 / slope})};
}

double HypothesisSearch::gainOfItsOwn(int j) const {
  const Mistake free{Kind::kEffortScale, {j}, kOfItsOwn};
  return results_.as_logged.objective -
         score(base_, columns_, undoneEfforts(free, *robot_, gains_), true, kMostRounds).objective;
}

std::vector<TriedHypothesis> HypothesisSearch::triedShares() const {
  const double whole = numberOfWholeLimit(*robot_, effort_);
  if (whole == 0.0 || excerpt_.efforts_of_drives) return {};
  TriedHypothesis shares = triedEffort({Kind::kEffortShare, {}, whole});
  if (shares.gain < kSmallestGain) return {};
  for (int j = 0; j < static_cast<int>(n_); ++j)
    if (shares.gain < gainOfItsOwn(j) + kSmallestGain) return {};
  return {std::move(shares)};
}

std::vector<TriedHypothesis> HypothesisSearch::tryLongDelays(int channel) const {
  const auto is_at = [](const TriedHypothesis& hypothesis, double end) {
    return std::abs(hypothesis.mistake.value) > end - 0.5 * kDelayStep;
  };
  // The gain of near delays is the same where all of them explain the channel completely: of these
  // the best leaves least.
  const auto beyond_complete = [&](Index c, const TriedHypothesis& hypothesis) {
    const double left = hypothesis.unexplained(c);
    return std::log(std::max(left, kLeastUnexplained) / std::max(left, kLeastOfDelays));
  };
  std::optional<TriedHypothesis> best;
  double best_value = -kInfinity;
  const auto one = [&](double seconds) {
    Eigen::VectorXd delay = Eigen::VectorXd::Constant(n_, seconds);
    Mistake mistake{Kind::kEffortDelay, {}, seconds};
    if (channel >= 0) {
      delay = results_.effort_delay;
      delay(channel) = seconds;
      mistake.joints = {channel};
    }
    TriedHypothesis hypothesis = triedDelay(mistake, delay);
    double value = hypothesis.gain;
    for (Index c = 0; c < n_; ++c)
      if (channel < 0 || c == channel) value += beyond_complete(c, hypothesis);
    if (value <= best_value) return;
    best = std::move(hypothesis);
    best_value = value;
  };
  const auto up_to = [&](double first, double last) {
    for (double seconds = first; seconds < last + 0.5 * kDelayStep; seconds += kDelayStep)
      for (const double sign : {1.0, -1.0}) one(sign * seconds);
  };
  up_to(kShortestLongDelay, kUsualDelay);
  if (is_at(*best, kUsualDelay)) up_to(kUsualDelay + kDelayStep, kLongestDelay);
  if (is_at(*best, kLongestDelay)) return {};
  if (best->gain >= kWorthRefining)
    for (const double step : {0.02, 0.01}) {
      const double centre = best->mistake.value;
      one(centre + step);
      one(centre - step);
    }
  return {std::move(*best)};
}

TriedHypothesis HypothesisSearch::triedDelay(const Mistake& mistake,
                                             const Eigen::VectorXd& delay) const {
  const MotionPass pass{base_.motion,
                        effortStatistics(rows_, effortLaterBy(excerpt_, delay), excerpt_.fold)};
  return tried(mistake, pass, columns_, asLogged(n_));
}

}  // namespace dynid
