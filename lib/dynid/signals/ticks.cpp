#include "dynid/signals/ticks.h"

#include "dynid/math/quantile.h"
#include "dynid/signals/local_motion.h"

#include <algorithm>
#include <cmath>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kHalf = 15;
constexpr double kLoopGain = 0.1;
constexpr int kRounds = 4;
constexpr Index kCompared = 100;  // rows compared on both sides of a stretch without motion
constexpr std::size_t kComparedLeast = 20;

/// Strictly increasing times in ticks, as a first approximation.
VectorXd increasing(const Eigen::Ref<const VectorXd>& time, double step) {
  VectorXd x = (time.array() - time(0)) / step;
  for (Index k = 1; k < x.size(); ++k) x(k) = std::max(x(k), x(k - 1) + 0.1);
  return x;
}

/// Number of ticks by which the rows after a stretch without certain motion are off relative to the
/// stamps: the change of the median of stamp minus tick from the rows before to the rows after the
/// stretch.
double slipAcross(const Eigen::Ref<const VectorXd>& time,
                  const VectorXd& ticks,
                  const std::vector<bool>& told,
                  double step,
                  Index first,
                  Index last) {
  std::vector<double> before, after;
  for (Index k = std::max<Index>(0, first - kCompared); k <= first; ++k)
    before.push_back(time(k) / step - ticks(k));
  for (Index k = last; k < std::min(time.size(), last + kCompared); ++k) {
    after.push_back(time(k) / step - ticks(k));
    const bool next_stretch = k + 1 < time.size() && !told[k];
    if (next_stretch && after.size() >= kComparedLeast) break;
  }
  return std::round(median(after) - median(before));
}

/// Where the robot does not move, ticks were counted from single stamps, whose jitter may have
/// added or lost a tick. The medians over many rows before and after the stretch show the
/// difference, which is then added to the stretch.
void correctSlips(const Eigen::Ref<const VectorXd>& time,
                  const std::vector<bool>& told,
                  double step,
                  VectorXd& ticks) {
  const Index n = time.size();
  for (Index first = 0; first + 1 < n; ++first) {
    if (told[first]) continue;
    Index last = first;
    while (last + 1 < n && !told[last]) ++last;
    double slip = slipAcross(time, ticks, told, step, first, last);
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

}  // namespace

VectorXd ticksFromStamps(const Eigen::Ref<const VectorXd>& time, double step) {
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
                         std::vector<double>* fractions) {
  const Index n = time.size();
  VectorXd ticks = VectorXd::Zero(n);
  if (n < 2) return ticks;
  VectorXd x = increasing(time, step);
  std::vector<bool> told(n, true);
  for (int round = 0; round < kRounds; ++round) {
    const VectorXd elapsed = elapsedByMotion(Q, parabolaSlopes(x, Q, kHalf), noise);
    // Ticks by the stamps since the last row with certain motion, less those already given to rows.
    double uncounted = 0.0;
    for (Index k = 0; k + 1 < n; ++k) {
      const bool certain = std::isfinite(elapsed(k));
      told[k] = certain;
      uncounted = certain ? 0.0 : uncounted + (time(k + 1) - time(k)) / step;
      const double count = std::max(1.0, std::round(certain ? elapsed(k) : uncounted));
      if (!certain) uncounted -= count;
      ticks(k + 1) = ticks(k) + count;
    }
    correctSlips(time, told, step, ticks);
    if (fractions != nullptr && round == kRounds - 1)
      for (Index k = 0; k + 1 < n; ++k)
        if (told[k]) fractions->push_back(elapsed(k) - (ticks(k + 1) - ticks(k)));
    if (x == ticks && round + 2 < kRounds) round = kRounds - 2;
    x = ticks;
  }
  return ticks;
}

}  // namespace dynid
