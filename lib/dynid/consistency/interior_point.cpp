#include "dynid/consistency/interior_point.h"

#include "dynid/consistency/central_path.h"
#include "dynid/consistency/duality_gap.h"

#include <Eigen/QR>

#include <algorithm>
#include <deque>
#include <limits>

namespace dynid {
namespace {

constexpr int kStalledSteps = 12;  // steps in which the complementarity falls by less than a tenth
constexpr std::size_t kCandidates = 4;  // number of last iterates whose certificate is computed
constexpr double kRepairDamping = 1.0;  // weight of u - (b - A x) in repairedMultipliers

struct Candidate {
  Eigen::VectorXd x;
  Eigen::VectorXd nu;
  ConeScaling scaling;
};

/// The u near b - A x whose dual slack C^T nu - A^T u is closest to the path's w in the scaled
/// norm. This norm has the largest weights on the face of the cone that contains x, where a
/// rounding error of A x would enlarge the gap by its size times the trace bound.
Eigen::VectorXd repairedMultipliers(const ConicProblem& problem, const Candidate& candidate) {
  const RowMajorMatrix& A = problem.A;
  const Eigen::Index m = A.rows();
  RowMajorMatrix J(m, A.cols());
  candidate.scaling.multiplyInverse(A, J);
  Eigen::MatrixXd stacked(A.cols() + m, m);
  stacked << J.transpose(), kRepairDamping * Eigen::MatrixXd::Identity(m, m);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(stacked);

  const Eigen::VectorXd plain = problem.b - A * candidate.x;
  Eigen::VectorXd u = plain;
  Eigen::VectorXd mismatch(stacked.rows());
  for (int refinement = 0; refinement < 2; ++refinement) {
    const Eigen::VectorXd slack = problem.C.transpose() * candidate.nu - A.transpose() * u;
    mismatch.head(A.cols()) = candidate.scaling.toScaledDual(slack) - candidate.scaling.point();
    mismatch.tail(m) = kRepairDamping * (plain - u);
    u += qr.solve(mismatch);
  }
  return u;
}

/// Stores the candidate's certificate in `result` if its gap is smaller.
void certify(const ConicProblem& problem, const Candidate& candidate, InteriorPointResult& result) {
  const RowMajorMatrix& A = problem.A;
  const Eigen::VectorXd plain = problem.b - A * candidate.x;
  const Eigen::VectorXd repaired = A.rows() > 0 ? repairedMultipliers(problem, candidate) : plain;
  const Eigen::Index bounds = problem.C.rows() - 1;
  for (const Eigen::VectorXd& multipliers : {repaired, plain}) {
    const DualityGap bound = dualityGap(A,
                                        problem.b,
                                        problem.C.bottomRows(bounds),
                                        problem.d.tail(bounds),
                                        problem.d(0),
                                        problem.bodies,
                                        candidate.x,
                                        multipliers,
                                        candidate.nu.tail(bounds));
    if (result.x.size() > 0 && !(bound.gap < result.gap)) continue;
    result.x = candidate.x;
    result.u = multipliers;
    result.nu = candidate.nu;
    result.gap = bound.gap;
    result.trace_multiplier = bound.trace_multiplier;
    result.objective = problem.objective(candidate.x);
  }
}

}  // namespace

InteriorPointResult minimizeOnCone(const ConicProblem& problem,
                                   const InteriorPointOptions& options) {
  CentralPath path(problem, options.start);
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
