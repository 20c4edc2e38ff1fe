#include "dynid/consistency/second_stage.h"

#include "dynid/consistency/central_path.h"
#include "dynid/consistency/interior_point.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kEnough = 0.3;  // fraction of the slack at which the search ends
constexpr double kAim = 0.7;
constexpr double kFar =
    4.0;  // if the cost is above this many slacks, the path is followed only approximately
constexpr double kNear =
    3.0;  // times the weight: complementarity below which the next weight is tried
constexpr double kCentered = 0.2;  // relative distance from the path that is accepted
constexpr int kMostSteps = 15;     // most steps for one weight
constexpr double kSteepest = 0.1;  // smallest ratio of a weight to the previous one

/// Search for the weight mu at which the cost equals the slack, on the entropic path from large
/// weights down.
struct Search {
  double slack = 0.0;
  double low = 0.0;  // largest weight known to cost at most the slack, 0: none
  double low_cost = 0.0;
  double high = 0.0;  // smallest weight known to cost more
  double high_cost = 0.0;
  double power = 1.0;  // cost ~ mu^power, between one (boundary) and two (interior)

  void note(double mu, double cost) {
    if (cost <= slack) {
      low = mu;
      low_cost = cost;
      return;
    }
    if (high > mu && high_cost > cost)
      power = std::clamp(std::log(high_cost / cost) / std::log(high / mu), 0.7, 2.2);
    high = mu;
    high_cost = cost;
  }

  double next() const {
    if (low > 0.0) {
      // Secant in the logarithms, limited to the inside of the interval.
      const double log_low = std::log(std::max(low_cost, 1e-3 * slack));
      const double share = (std::log(kAim * slack) - log_low) / (std::log(high_cost) - log_low);
      return low * std::pow(high / low, std::clamp(share, 0.1, 0.9));
    }
    return high * std::clamp(std::pow(kAim * slack / high_cost, 1.0 / power), kSteepest, 0.9);
  }

  bool exhausted() const { return low > 0.0 && high > 0.0 && high < 1.02 * low; }
};

bool centered(const CentralPath& path, double mu) {
  if (!path.feasible || std::abs(path.mu() / mu - 1.0) > kCentered) return false;
  const Eigen::VectorXd stationarity = path.problem.A.transpose() * path.residual +
                                       mu * path.trace + path.problem.C.transpose() * path.nu -
                                       path.w;
  return stationarity.norm() < kCentered * mu;
}

}  // namespace

SecondStageResult closestToPrior(const ConicProblem& problem,
                                 double optimum,
                                 double slack,
                                 int max_iterations,
                                 const Eigen::VectorXd& start,
                                 int threads) {
  SecondStageResult best;
  CentralPath path(problem, start, threads);
  path.evaluate();
  Search search;
  search.slack = slack;
  double mu = path.mu();
  for (int spent = 0; best.iterations < max_iterations && spent < kMostSteps;
       ++best.iterations, ++spent) {
    const double cost = path.objective - optimum;
    const bool met = centered(path, mu);
    // A point near the path is used until a point on the path is known.
    if (path.feasible && cost <= slack && (met ? mu > best.mu : best.mu == 0.0)) {
      best.x = path.x;
      best.objective = path.objective;
      if (met) best.mu = mu;
    }
    const bool passing = path.feasible && path.mu() < kNear * mu && cost > kFar * slack;
    if (met || passing) {
      search.note(mu, cost);
      const bool first = search.high == 0.0;  // the cost of the largest weight is below the slack
      if (cost <= slack && (first || cost >= kEnough * slack)) break;
      if (search.exhausted()) break;
      mu = search.next();
      spent = 0;
    }
    if (!path.step(mu, mu)) break;
    path.evaluate();
  }
  best.fallback_steps = path.newton.fallbacks();
  return best;
}

}  // namespace dynid
