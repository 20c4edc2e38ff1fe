#include "dynid/consistency/infeasibility.h"

#include "dynid/consistency/interior_point.h"

#include <cmath>

namespace dynid {
namespace {

constexpr double kFarTrace = 1e4;
constexpr double kViolation = 1e-6;  // below it rows touch rather than conflict
constexpr double kInvolved = 1e-3;   // of the largest multiplier

}  // namespace

BoundConflict findBoundConflict(const ConicProblem& problem) {
  const Eigen::Index rows = problem.d.size() - 1;
  BoundConflict conflict;
  if (rows == 0) return conflict;
  ConicProblem phase;
  phase.bodies = problem.bodies;
  phase.scalars = problem.scalars + static_cast<int>(rows);
  phase.A.resize(rows, phase.size());
  phase.A << problem.C.bottomRows(rows), Eigen::MatrixXd::Identity(rows, rows);
  phase.b = problem.d.tail(rows);
  phase.C = coneIdentity(phase.bodies, phase.scalars).transpose();
  phase.d = Eigen::VectorXd::Constant(1, kFarTrace * problem.d(0));
  phase.floor = 1e-6;

  const InteriorPointResult least = minimizeOnCone(phase, {});
  if (least.x.size() == 0) return conflict;
  const double certain = least.objective - least.gap;
  if (!(certain > 0.5 * kViolation * kViolation)) return conflict;
  conflict.proven = true;
  conflict.violation = std::sqrt(2.0 * certain);
  const Eigen::VectorXd violations = (phase.b - phase.A * least.x).cwiseAbs();
  for (Eigen::Index i = 0; i < rows; ++i)
    if (violations(i) > kInvolved * violations.maxCoeff()) conflict.rows.push_back(i + 1);
  return conflict;
}

}  // namespace dynid
