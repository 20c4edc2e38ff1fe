#include "dynid/excitation/chain.h"

#include "dynid/excitation/local_search.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

std::vector<Descent> descent(Criterion criterion, bool from_scratch) {
  std::vector<Descent> stages;
  if (from_scratch) stages.push_back({Criterion::kD, {1.0, 0.1}, 60, 1e-1});
  if (criterion == Criterion::kD || criterion == Criterion::kA) {
    stages.push_back({criterion, {1.0, 0.03}, 300, 1e-2});
    return stages;
  }
  if (from_scratch) stages.push_back({criterion, {2.0, 0.05}, 150, 1e-2});
  stages.push_back({criterion, {6.0, 0.03}, 200, 1e-3});
  stages.push_back({criterion, {25.0, 0.015}, 200, 1e-4});
  return stages;
}

}  // namespace

void runChain(const SearchProblem& problem,
              std::uint64_t chain,
              int hops,
              const std::function<bool(const Candidate&)>& found) {
  LocalSearch search(problem);
  RandomStream random(problem.seed, chain);
  Eigen::VectorXd x = search.randomStart(random), best_x = x;
  Candidate best = search.candidate(x);
  if (std::isfinite(best.excess) && !found(best)) return;
  double step = 0.15;
  bool improved = false, stopped = false;
  const auto on_progress = [&](const Eigen::VectorXd& at) {
    if (stopped) return;
    const Candidate candidate = search.candidate(at);
    const bool nearer = !std::isfinite(best.score) && candidate.excess < best.excess;
    if (!(candidate.score < best.score) && !nearer) return;
    improved = improved || candidate.score < best.score;
    best = candidate;
    best_x = at;
    stopped = !found(best);
  };
  search.setProgress(on_progress);
  for (int hop = 0; hop <= hops && !stopped; ++hop) {
    if (hop > 0) {
      x = best_x;
      for (double& value : x) value += step * random.normal();
      x *= 0.95;
    }
    improved = false;
    for (const Descent& stage : descent(problem.criterion, hop == 0)) {
      x = search.run(stage, x);
      on_progress(x);
      if (stopped) return;
    }
    step = std::clamp(step * (improved ? 1.3 : 0.85), 0.02, 0.4);
  }
}

}  // namespace dynid
