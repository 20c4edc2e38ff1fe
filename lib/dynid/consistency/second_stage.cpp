#include "dynid/consistency/second_stage.h"

#include "dynid/consistency/interior_point.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kEnough = 0.3;  // share of the slack at which the search ends
constexpr double kAim = 0.7;
constexpr int kMaxSolves = 14;
constexpr double kLargestWeight = 1e3;  // beyond it the data have no say

/// The bracket of the search: mu that costs less and mu that costs more than the slack, with their
/// costs (0: unknown).
struct Bracket {
  double low = 0.0;
  double low_cost = 0.0;
  double high = 0.0;
  double high_cost = 0.0;
};

double nextWeight(const Bracket& bracket, double mu, double cost, double slack) {
  const double floor = 1e-3 * slack;
  if (bracket.low > 0.0 && bracket.high > 0.0) {
    // Secant in the logarithms, kept off the ends.
    const double low = std::log(std::max(bracket.low_cost, floor));
    const double share = (std::log(kAim * slack) - low) / (std::log(bracket.high_cost) - low);
    return bracket.low * std::pow(bracket.high / bracket.low, std::clamp(share, 0.1, 0.9));
  }
  if (bracket.low > 0.0)
    return mu * std::min(100.0, kAim * slack / std::max(cost, 0.01 * kAim * slack));
  return mu * std::max(0.01, kAim * slack / cost);
}

}  // namespace

SecondStageResult closestToPrior(const ConicProblem& problem,
                                 double optimum,
                                 double slack,
                                 int max_iterations) {
  SecondStageResult best;
  Bracket bracket;
  double mu = slack > 0.0 ? std::min(slack / problem.degree(), kLargestWeight) : kLargestWeight;
  while (best.solves < kMaxSolves) {
    const InteriorPointResult point = entropicPoint(problem, mu, max_iterations);
    ++best.solves;
    best.iterations += point.iterations;
    best.fallback_steps += point.fallback_steps;
    if (point.x.size() == 0) {
      mu *= 0.5;
      continue;
    }
    const double cost = point.objective - optimum;
    if (cost <= slack) {
      if (best.x.size() == 0 || mu > best.mu) {
        best.x = point.x;
        best.objective = point.objective;
        best.mu = mu;
      }
      if (cost >= kEnough * slack || mu >= kLargestWeight) break;
      bracket.low = mu;
      bracket.low_cost = cost;
    } else {
      bracket.high = mu;
      bracket.high_cost = cost;
    }
    if (bracket.low > 0.0 && bracket.high > 0.0 && bracket.high < 1.02 * bracket.low) break;
    mu = std::min(kLargestWeight, nextWeight(bracket, mu, cost, slack));
  }
  return best;
}

}  // namespace dynid
