#include "dynid/consistency/prior_fit.h"

#include "dynid/consistency/central_path.h"
#include "dynid/consistency/duality_gap.h"
#include "dynid/consistency/repaired_multipliers.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dynid {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kMostRepairs = 6;  // points of the path whose multipliers are repaired

// log det of a symmetric 4x4 matrix; minus infinity where it is not positive definite.
double logDeterminant(const Eigen::Matrix4d& M) {
  const Eigen::LLT<Eigen::Matrix4d> llt(M);
  if (llt.info() != Eigen::Success) return -kInfinite;
  return 2.0 * llt.matrixLLT().diagonal().array().log().sum();
}

/// What the gap of a point would be without rounding errors, to second order: the complementarity
/// of scalars and bounds, and weight sum (lambda_i^2 / weight - 1)^2 over the pairs of the bodies.
double distanceFromPath(const CentralPath& path, double weight) {
  const Eigen::Index entries = 10 * Eigen::Index{path.problem.bodies};
  const Eigen::ArrayXd pairs = path.scaling.point().head(entries).array().square();
  const double of_bodies =
      weight * (path.trace.head(entries).array() * (pairs / weight - 1.0).square()).sum();
  return path.complementarity - path.scaling.bodyComplementarity() + of_bodies;
}

/// The gap of a point with multipliers that do not contain the rounding error of A x.
double repairedGap(const ConicProblem& problem,
                   double weight,
                   const CentralPath& path,
                   Multipliers& multipliers) {
  Eigen::VectorXd gradient = weight * path.trace;
  gradient.tail(problem.scalars).setZero();
  multipliers = repairedMultipliers(problem, path.x, path.nu, path.scaling, gradient);
  return priorGap(problem, weight, path.x, multipliers.u, multipliers.nu);
}

PriorFitResult walk(const ConicProblem& problem,
                    double weight,
                    const InteriorPointOptions& options,
                    CentralPath& path) {
  PriorFitResult result;
  result.weight = weight;
  result.gap = kInfinite;
  const int fallbacks = path.newton.fallbacks();
  int at_the_end = 0;  // points at which only rounding errors are left
  for (;; ++result.iterations) {
    path.evaluate();
    const double F = priorObjective(problem, weight, path.x);
    const double wanted = options.gap_tolerance * problem.relativeTo(F);
    if (path.feasible) {
      Multipliers multipliers{-path.residual, path.nu};
      double gap = priorGap(problem, weight, path.x, multipliers.u, multipliers.nu);
      if (gap > wanted && distanceFromPath(path, weight) <= wanted && problem.A.rows() > 0) {
        ++at_the_end;
        Multipliers repaired;
        const double repaired_gap = repairedGap(problem, weight, path, repaired);
        if (repaired_gap < gap) {
          gap = repaired_gap;
          multipliers = std::move(repaired);
        }
      }
      if (result.x.size() == 0 || gap < result.gap) {
        result.x = path.x;
        result.u = std::move(multipliers.u);
        result.nu = std::move(multipliers.nu);
        result.objective = F;
        result.gap = gap;
      }
      result.converged = result.gap <= wanted;
    }
    if (result.converged || result.iterations >= options.max_iterations ||
        at_the_end >= kMostRepairs)
      break;
    if (!path.stepWithPrior(weight, 0.1 * wanted / problem.degree())) break;
  }
  result.fallback_steps = path.newton.fallbacks() - fallbacks;
  return result;
}

}  // namespace

double priorObjective(const ConicProblem& problem, double weight, const Eigen::VectorXd& x) {
  double F = problem.objective(x);
  for (int k = 0; k < problem.bodies; ++k) {
    const Eigen::Matrix4d Q = smat(x.segment<10>(10 * k));
    F += weight * (Q.trace() - logDeterminant(Q));
  }
  return F;
}

double priorGap(const ConicProblem& problem,
                double weight,
                const Eigen::VectorXd& x,
                const Eigen::VectorXd& u,
                const Eigen::VectorXd& nu) {
  const Eigen::MatrixXd A = problem.A;
  Eigen::VectorXd M = dualSlack(A, problem.C, u, nu).cast<double>();
  double lowest = 0.0;
  for (Eigen::Index j = 10 * problem.bodies; j < M.size(); ++j)
    lowest = std::min(lowest, M(j) - dualSlackError(A.col(j), problem.C.col(j), u, nu));
  M -= lowest * coneIdentity(problem.bodies, problem.scalars);
  // 1/2 ||b||^2 - 1/2 ||b - u||^2 = b^T u - 1/2 ||u||^2
  double bound = problem.b.dot(u) - 0.5 * u.squaredNorm() + problem.c0 - nu.dot(problem.d) +
                 lowest * problem.d(0);
  for (int k = 0; k < problem.bodies; ++k) {
    const Eigen::Matrix4d B = Eigen::Matrix4d::Identity() + smat(M.segment<10>(10 * k)) / weight;
    bound += weight * (4.0 + logDeterminant(B));
  }
  const double gap = priorObjective(problem, weight, x) - bound;
  if (!std::isfinite(gap)) return kInfinite;
  return std::max(0.0, gap);
}

std::vector<PriorFitResult> fitWithPrior(const ConicProblem& problem,
                                         const std::vector<double>& weights,
                                         const InteriorPointOptions& options) {
  std::vector<PriorFitResult> results;
  CentralPath path(problem, options.start, options.threads);
  bool alive = true;
  for (double weight : weights) {
    PriorFitResult result;
    result.weight = weight;
    if (alive) result = walk(problem, weight, options, path);
    alive = alive && result.converged;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace dynid
