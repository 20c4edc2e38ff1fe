#include "dynid/signals/ticks.h"

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

/// Stamps to ticks in strictly increasing order, as a first guess of time.
VectorXd increasing(const Eigen::Ref<const VectorXd>& time, double step) {
  VectorXd x = (time.array() - time(0)) / step;
  for (Index k = 1; k < x.size(); ++k) x(k) = std::max(x(k), x(k - 1) + 0.1);
  return x;
}

}  // namespace

VectorXd ticksFromStamps(const Eigen::Ref<const VectorXd>& time, double step) {
  VectorXd ticks = VectorXd::Zero(time.size());
  double phase = time.size() > 0 ? time(0) : 0.0;
  for (Index k = 1; k < time.size(); ++k) {
    const double n = std::max(1.0, std::round((time(k) - phase) / step));
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
  for (int round = 0; round < kRounds; ++round) {
    const VectorXd elapsed = elapsedByMotion(Q, parabolaSlopes(x, Q, kHalf), noise);
    // What the stamps ran ahead of the ticks since the motion last told; only still stretches look
    // at it.
    double owed = 0.0;
    for (Index k = 0; k + 1 < n; ++k) {
      const bool told = std::isfinite(elapsed(k));
      owed = told ? 0.0 : owed + (time(k + 1) - time(k)) / step;
      const double count = std::max(1.0, std::round(told ? elapsed(k) : owed));
      if (!told) owed -= count;
      ticks(k + 1) = ticks(k) + count;
      if (told && fractions != nullptr && round == kRounds - 1)
        fractions->push_back(elapsed(k) - count);
    }
    if (x == ticks && round + 2 < kRounds) round = kRounds - 2;
    x = ticks;
  }
  return ticks;
}

}  // namespace dynid
