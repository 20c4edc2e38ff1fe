#include "dynid/signals/ticks.h"

#include "dynid/signals/local_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kHalf = 15;
constexpr double kLoopGain = 0.1;
constexpr double kCoarseLoopGain = 0.03;
constexpr double kMargin = 0.4;        // of a step, for jitter beyond the width of coarse stamps
constexpr double kFirstStamps = 20.0;  // coarse stamps whose mean gives the first phase
constexpr int kRounds = 4;
constexpr Index kCompared = 100;  // rows compared on both sides of a stretch without motion
constexpr std::size_t kComparedLeast = 20;

/// Strictly increasing times in ticks, as a first approximation.
VectorXd increasing(const Eigen::Ref<const VectorXd>& time, double step) {
  VectorXd x = (time.array() - time(0)) / step;
  for (Index k = 1; k < x.size(); ++k) x(k) = std::max(x(k), x(k - 1) + 0.1);
  return x;
}

/// Mean of the middle half of the values. Single outliers do not change it, nor does it jump
/// between the few values that stamps minus ticks have if rows share stamps, as the median does.
double middleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto quarter = std::ssize(values) / 4;
  return std::accumulate(values.begin() + quarter, values.end() - quarter, 0.0) /
         static_cast<double>(std::ssize(values) - 2 * quarter);
}

/// Number of ticks by which the rows after a stretch without certain motion are off relative to the
/// stamps: the change of the middle of stamp minus tick from the rows before to the rows after the
/// stretch.
double slipAcross(const Eigen::Ref<const VectorXd>& time,
                  const VectorXd& ticks,
                  const std::vector<bool>& motion_certain,
                  double step,
                  Index first,
                  Index last) {
  std::vector<double> before, after;
  for (Index k = std::max<Index>(0, first - kCompared); k <= first; ++k)
    before.push_back(time(k) / step - ticks(k));
  for (Index k = last; k < std::min(time.size(), last + kCompared); ++k) {
    after.push_back(time(k) / step - ticks(k));
    const bool next_stretch = k + 1 < time.size() && !motion_certain[k];
    if (next_stretch && after.size() >= kComparedLeast) break;
  }
  return std::round(middleOf(std::move(after)) - middleOf(std::move(before)));
}

/// Where the robot does not move, ticks were counted from single stamps, whose jitter may have
/// added or lost a tick. The stamps of many rows before and after the stretch show the
/// difference, which is then added to the stretch.
void correctSlips(const Eigen::Ref<const VectorXd>& time,
                  const std::vector<bool>& motion_certain,
                  double step,
                  VectorXd& ticks) {
  const Index n = time.size();
  for (Index first = 0; first + 1 < n; ++first) {
    if (motion_certain[first]) continue;
    Index last = first;
    while (last + 1 < n && !motion_certain[last]) ++last;
    double slip = slipAcross(time, ticks, motion_certain, step, first, last);
    for (Index k = first; k < last && slip != 0.0; ++k) {
      // A row may gain any number of ticks but must advance by at least one.
      const double room = ticks(k + 1) - ticks(k) - 1.0;
      const double shift = slip > 0.0 ? slip : std::max(slip, -room);
      ticks.tail(n - k - 1).array() += shift;
      slip -= shift;
    }
    first = last;
  }
}

/// Ticks from stamps whose distance `width` is several steps (ticksFromStamps).
VectorXd ticksFromCoarseStamps(const Eigen::Ref<const VectorXd>& time, double step, double width) {
  VectorXd ticks = VectorXd::LinSpaced(time.size(), 0.0, static_cast<double>(time.size() - 1));
  const VectorXd late_by = time - step * ticks;
  if (late_by.maxCoeff() - late_by.minCoeff() <= width + step) return ticks;  // no row is missing
  const double gain = kCoarseLoopGain * std::pow(std::min(1.0, step / width), 2);
  const double range = 0.5 * width + kMargin * step;
  // The first stamp may be off by half the width; the mean over some stamps is not.
  const Index first = std::min(time.size(), static_cast<Index>(kFirstStamps * width / step) + 1);
  double phase = late_by.head(first).mean();
  for (Index k = 1; k < time.size(); ++k) {
    const double late = time(k) - phase - step;
    const double n = late > range ? 1.0 + std::ceil((late - range) / step) : 1.0;
    phase += n * step;
    phase += gain * (time(k) - phase);
    phase = std::min(phase, time(k) + range);  // more rows than the step allows: it is too long
    ticks(k) = ticks(k - 1) + n;
  }
  return ticks;
}

}  // namespace

VectorXd ticksFromStamps(const Eigen::Ref<const VectorXd>& time, double step, double width) {
  if (width > 0.0 && time.size() > 0) return ticksFromCoarseStamps(time, step, width);
  VectorXd ticks = VectorXd::Zero(time.size());
  double phase = time.size() > 0 ? time(0) : 0.0;
  for (Index k = 1; k < time.size(); ++k) {
    const double since = time(k) - phase;
    const double n =
        since < 1.5 * step ? 1.0 : std::round(since / step);  // usually needs no division
    phase += n * step;
    phase += kLoopGain * (time(k) - phase);
    ticks(k) = ticks(k - 1) + n;
  }
  return ticks;
}

VectorXd ticksFromMotion(const Eigen::Ref<const VectorXd>& time,
                         const Eigen::Ref<const Eigen::MatrixXd>& Q,
                         const Eigen::Ref<const VectorXd>& noise,
                         double step,
                         std::vector<double>* fractions,
                         int threads) {
  const Index n = time.size();
  VectorXd ticks = VectorXd::Zero(n);
  if (n < 2) return ticks;
  VectorXd x = increasing(time, step);
  std::vector<bool> motion_certain(n, true);
  for (int round = 0; round < kRounds; ++round) {
    const VectorXd elapsed =
        elapsedByMotion(Q, parabolaSlopes(x, Q, kHalf, threads), noise, threads);
    // Ticks by the stamps since the last row with certain motion, less those already given to rows.
    double uncounted = 0.0;
    for (Index k = 0; k + 1 < n; ++k) {
      const bool certain = std::isfinite(elapsed(k));
      motion_certain[k] = certain;
      uncounted = certain ? 0.0 : uncounted + (time(k + 1) - time(k)) / step;
      const double count = std::max(1.0, std::round(certain ? elapsed(k) : uncounted));
      if (!certain) uncounted -= count;
      ticks(k + 1) = ticks(k) + count;
    }
    correctSlips(time, motion_certain, step, ticks);
    if (fractions != nullptr && round == kRounds - 1)
      for (Index k = 0; k + 1 < n; ++k)
        if (motion_certain[k]) fractions->push_back(elapsed(k) - (ticks(k + 1) - ticks(k)));
    if (x == ticks && round + 2 < kRounds) round = kRounds - 2;
    x = ticks;
  }
  return ticks;
}

}  // namespace dynid
