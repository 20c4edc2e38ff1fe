#include "dynid/consistency/central_path.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace dynid {
namespace {

constexpr double kToBoundary = 0.99;
constexpr double kCentredResidual = 1e-12;  // residual of C x + s = d relative to the trace bound

constexpr double kLeastDual = 1e-8;

/// Primal point: the identity, scaled down if the trace bound is narrow. Dual point: a multiple of
/// the identity with the size of the gradient at the primal point.
ConeScaling scalingAtIdentity(const ConicProblem& problem) {
  const double size = 4.0 * problem.bodies + problem.scalars;
  const double value = std::min(1.0, 0.5 * problem.d(0) / size);
  const Eigen::VectorXd x = value * coneIdentity(problem.bodies, problem.scalars);
  const Eigen::VectorXd gradient = problem.A.transpose() * (problem.A * x - problem.b);
  const double dual = std::max(kLeastDual, gradient.cwiseAbs().maxCoeff());
  return ConeScaling(problem.bodies, problem.scalars, value, dual);
}

/// The given point, with the dual mu x^-1 of the size of the gradient.
ConeScaling scalingAt(const ConicProblem& problem, const Eigen::VectorXd& x) {
  const Eigen::VectorXd gradient = problem.A.transpose() * (problem.A * x - problem.b);
  const ConeScaling unit(problem.bodies, problem.scalars, x, 1.0);
  const double mu = std::max(kLeastDual, unit.toScaledDual(gradient).cwiseAbs().maxCoeff());
  return ConeScaling(problem.bodies, problem.scalars, x, mu);
}

}  // namespace

CentralPath::CentralPath(const ConicProblem& conic, const Eigen::VectorXd& start)
    : problem(conic),
      trace(coneIdentity(conic.bodies, conic.scalars)),
      scaling(start.size() > 0 ? scalingAt(conic, start) : scalingAtIdentity(conic)),
      newton(conic),
      x(scaling.primal()),
      w(scaling.dual()) {
  const double mu = scaling.complementarity() / (4.0 * conic.bodies + conic.scalars);
  const double share = start.size() > 0 ? 1e-6 : 0.1;
  s = conic.d - conic.C * x;
  for (Eigen::Index i = 0; i < s.size(); ++i)
    s(i) = std::max(s(i), share * std::max(std::abs(conic.d(i)), 1e-3));
  nu = mu * s.cwiseInverse();
}

void CentralPath::evaluate() {
  residual = problem.A * x - problem.b;
  objective = 0.5 * residual.squaredNorm() + problem.c0;
  complementarity = scaling.complementarity() + s.dot(nu);
  bound_residual = problem.d - problem.C * x - s;
  feasible = bound_residual.cwiseAbs().maxCoeff() < kCentredResidual * problem.d(0);
}

bool CentralPath::step(double mu, double trace_weight) {
  return stepTowards(mu, mu, trace_weight * trace);
}

bool CentralPath::stepWithPrior(double bodies, double others, double weight) {
  Eigen::VectorXd gradient = weight * trace;
  gradient.tail(problem.scalars).setZero();
  return stepTowards(bodies, others, gradient);
}

bool CentralPath::stepTowards(double bodies, double others, const Eigen::VectorXd& gradient) {
  // Newton's equations of  A^T (A x - b) + gradient + C^T nu = w,  C x + s = d,  with x w and nu s
  // at their targets. The primal step is computed in y = Theta dx, everything else by substitution.
  const double mu = others;
  const Eigen::VectorXd target = scaling.centering(bodies, others);
  StepEquations equations;
  equations.r = residual;
  equations.rho = (nu.array() / s.array()).sqrt();
  equations.c = (mu - nu.array() * bound_residual.array()) / (nu.array() * s.array()).sqrt();
  equations.y0 = target;
  if (!gradient.isZero(0.0)) equations.y0 -= scaling.toScaledDual(gradient);
  const std::optional<Eigen::VectorXd> dx_scaled = newton.solve(scaling, equations);
  if (!dx_scaled) return false;
  const Eigen::VectorXd dx = scaling.fromScaled(*dx_scaled);
  const Eigen::VectorXd dw_scaled = target - *dx_scaled - scaling.point();
  const Eigen::VectorXd ds = bound_residual - problem.C * dx;
  const Eigen::VectorXd dnu = (mu - nu.array() * ds.array()) / s.array() - nu.array();

  double length =
      std::min(scaling.lengthToBoundary(*dx_scaled), scaling.lengthToBoundary(dw_scaled));
  const double lowest = std::min(ds.cwiseQuotient(s).minCoeff(), dnu.cwiseQuotient(nu).minCoeff());
  if (lowest < 0.0) length = std::min(length, -1.0 / lowest);
  const double alpha = std::min(1.0, kToBoundary * length);
  if (!(alpha > 0.0)) return false;

  if (!scaling.advance(alpha, *dx_scaled, dw_scaled)) return false;
  s += alpha * ds;
  nu += alpha * dnu;
  last_step = alpha;
  x = scaling.primal();
  w = scaling.dual();
  return x.allFinite() && w.allFinite() && s.minCoeff() > 0.0 && nu.minCoeff() > 0.0;
}

}  // namespace dynid
