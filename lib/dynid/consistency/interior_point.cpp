#include "dynid/consistency/interior_point.h"

#include "dynid/consistency/central_path.h"
#include "dynid/consistency/duality_gap.h"
#include "dynid/consistency/repaired_multipliers.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace dynid {
namespace {

constexpr int kStalledSteps = 12;  // steps in which the complementarity falls by less than a tenth
constexpr std::size_t kCandidates = 4;  // number of last iterates whose certificate is computed

struct Candidate {
  Eigen::VectorXd x;
  Eigen::VectorXd nu;
  ConeScaling scaling;
};

/// Stores the candidate's certificate in `result` if its gap is smaller.
void certify(const ConicProblem& problem, const Candidate& candidate, InteriorPointResult& result) {
  const RowMajorMatrix& A = problem.A;
  const Multipliers plain{problem.b - A * candidate.x, candidate.nu};
  const Multipliers repaired =
      A.rows() > 0 ? repairedMultipliers(problem, candidate.x, candidate.nu, candidate.scaling)
                   : plain;
  const Eigen::Index bounds = problem.C.rows() - 1;
  for (const Multipliers& multipliers : {repaired, plain}) {
    const DualityGap bound = dualityGap(A,
                                        problem.b,
                                        problem.C.bottomRows(bounds),
                                        problem.d.tail(bounds),
                                        problem.d(0),
                                        problem.bodies,
                                        candidate.x,
                                        multipliers.u,
                                        multipliers.nu.tail(bounds));
    if (result.x.size() > 0 && !(bound.gap < result.gap)) continue;
    result.x = candidate.x;
    result.u = multipliers.u;
    result.nu = multipliers.nu;
    result.gap = bound.gap;
    result.trace_multiplier = bound.trace_multiplier;
    result.objective = problem.objective(candidate.x);
  }
}

}  // namespace

InteriorPointResult minimizeOnCone(const ConicProblem& problem,
                                   const InteriorPointOptions& options) {
  CentralPath path(problem, options.start, options.threads);
  std::deque<Candidate> candidates;
  InteriorPointResult result;
  const auto closed = [&] {
    return result.x.size() > 0 &&
           result.gap <= options.gap_tolerance * problem.relativeTo(result.objective);
  };
  double best = std::numeric_limits<double>::infinity();
  int stalled = 0;
  for (;; ++result.iterations) {
    path.evaluate();
    if (path.feasible) {
      if (candidates.size() == kCandidates) candidates.pop_front();
      candidates.push_back({path.x, path.nu, path.scaling});
    }
    const double wanted = options.gap_tolerance * problem.relativeTo(path.objective);
    if (path.feasible && path.complementarity <= 0.7 * wanted) {
      certify(problem, candidates.back(), result);
      if (closed() || path.complementarity < 1e-4 * wanted) break;
    }
    stalled = path.complementarity < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, path.complementarity);
    if (stalled > kStalledSteps || result.iterations >= options.max_iterations) break;

    if (!path.step(0.02 * wanted / problem.degree(), 0.0)) break;
  }
  for (auto c = candidates.rbegin(); c != candidates.rend() && !closed(); ++c)
    certify(problem, *c, result);
  result.converged = closed();
  result.fallback_steps = path.newton.fallbacks();
  return result;
}

}  // namespace dynid
