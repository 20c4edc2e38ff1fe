#include "dynid/consistency/interior_point.h"

#include "dynid/consistency/central_path.h"
#include "dynid/consistency/duality_gap.h"
#include "dynid/kernels/dense.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace dynid {
namespace {

constexpr int kStalledSteps = 12;  // steps in which the complementarity falls by less than a tenth
constexpr std::size_t kCandidates = 4;  // number of last iterates whose certificate is computed
constexpr double kRepairDamping = 1.0;  // weight of u - (b - A x) in repairedMultipliers
constexpr double kActiveShare = 1e-6;   // of the largest multiplier of a bound but the trace

struct Candidate {
  Eigen::VectorXd x;
  Eigen::VectorXd nu;
  ConeScaling scaling;
};

struct Multipliers {
  Eigen::VectorXd u, nu;
};

/// The row of the trace, and the rows of C whose multiplier is not small.
std::vector<Eigen::Index> activeRows(const Eigen::VectorXd& nu) {
  std::vector<Eigen::Index> active{0};
  double largest = 0.0;
  for (Eigen::Index i = 1; i < nu.size(); ++i) largest = std::max(largest, nu(i));
  for (Eigen::Index i = 1; i < nu.size(); ++i)
    if (nu(i) > kActiveShare * largest) active.push_back(i);
  return active;
}

/// The u near b - A x, and the nu near the path's, whose dual slack C^T nu - A^T u is closest to
/// the path's w in the scaled norm. This norm has the largest weights on the face of the cone that
/// contains x, where a rounding error of A x would enlarge the gap by its size times the trace
/// bound. Of nu only the multipliers of the trace bound and of active bounds change.
Multipliers repairedMultipliers(const ConicProblem& problem, const Candidate& candidate) {
  const RowMajorMatrix& A = problem.A;
  const std::vector<Eigen::Index> active = activeRows(candidate.nu);
  const Eigen::Index m = A.rows(), unknowns = m + std::ssize(active);
  RowMajorMatrix rows(unknowns, A.cols()), J(unknowns, A.cols());
  rows.topRows(m) = A;
  rows.bottomRows(std::ssize(active)) = -problem.C(active, Eigen::all);
  candidate.scaling.multiplyInverse(rows, J);
  Eigen::MatrixXd stacked(A.cols() + unknowns, unknowns);
  stacked << J.transpose(), kRepairDamping * Eigen::MatrixXd::Identity(unknowns, unknowns);
  const DenseReflections reflections(std::move(stacked));

  const Eigen::VectorXd plain = problem.b - A * candidate.x;
  Multipliers repaired{plain, candidate.nu};
  Eigen::VectorXd mismatch(A.cols() + unknowns);
  for (int refinement = 0; refinement < 2; ++refinement) {
    const Eigen::VectorXd slack = problem.C.transpose() * repaired.nu - A.transpose() * repaired.u;
    mismatch.head(A.cols()) = candidate.scaling.toScaledDual(slack) - candidate.scaling.point();
    mismatch.segment(A.cols(), m) = kRepairDamping * (plain - repaired.u);
    mismatch.tail(std::ssize(active)) =
        kRepairDamping * (candidate.nu(active) - repaired.nu(active));
    const Eigen::VectorXd change = reflections.leastSquares(mismatch);
    repaired.u += change.head(m);
    repaired.nu(active) += change.tail(std::ssize(active));
    repaired.nu = repaired.nu.cwiseMax(0.0);
  }
  return repaired;
}

/// Stores the candidate's certificate in `result` if its gap is smaller.
void certify(const ConicProblem& problem, const Candidate& candidate, InteriorPointResult& result) {
  const RowMajorMatrix& A = problem.A;
  const Multipliers plain{problem.b - A * candidate.x, candidate.nu};
  const Multipliers repaired = A.rows() > 0 ? repairedMultipliers(problem, candidate) : plain;
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
