#include "dynid/consistency/interior_search.h"

#include "dynid/consistency/interior_point.h"

namespace dynid {
namespace {

constexpr double kViolation =
    1e-6;  // scaled: rows with a smaller residual do not contradict each other
constexpr double kInvolved = 1e-3;  // of the largest violation: rows above it are named

}  // namespace

InteriorSearch findInterior(const ConicProblem& problem) {
  const Eigen::Index rows = problem.d.size() - 1;
  ConicProblem phase;
  phase.bodies = problem.bodies;
  phase.scalars = problem.scalars + static_cast<int>(rows);
  phase.A.resize(rows, phase.size());
  phase.A << problem.C.bottomRows(rows), Eigen::MatrixXd::Identity(rows, rows);
  phase.b = problem.d.tail(rows);
  // This trace includes the slacks, which are at most of the order of their rows.
  phase.C = coneIdentity(phase.bodies, phase.scalars).transpose();
  phase.d = Eigen::VectorXd::Constant(1, problem.d(0));
  phase.floor = 1e-6;

  InteriorSearch search;
  const InteriorPointResult least = minimizeOnCone(phase, {});
  if (least.x.size() == 0) return search;
  if (least.objective - least.gap < 0.5 * kViolation * kViolation) {
    search.x = least.x.head(problem.size());
    return search;
  }
  search.contradictory = true;
  const Eigen::VectorXd violations = (phase.b - phase.A * least.x).cwiseAbs();
  for (Eigen::Index i = 0; i < rows; ++i)
    if (violations(i) > kInvolved * violations.maxCoeff()) search.rows.push_back(i + 1);
  return search;
}

}  // namespace dynid
