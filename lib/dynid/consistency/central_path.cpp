#include "dynid/consistency/central_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dynid {
namespace {

constexpr double kToBoundary = 0.99;
constexpr double kShort = 0.5;              // length of a step below which a plain one is tried
constexpr double kMostGrowth = 10.0;        // of the complementarity per step
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

/// Ratio of the next target of the complementarity to its current value for a step without
/// predictor: smaller after long steps.
double plainShare(double last_step) {
  if (last_step > 0.8) return 0.15;
  return last_step > 0.4 ? 0.25 : 0.6;
}

}  // namespace

CentralPath::CentralPath(const ConicProblem& conic, const Eigen::VectorXd& start, int threads)
    : problem(conic),
      trace(coneIdentity(conic.bodies, conic.scalars)),
      scaling(start.size() > 0 ? scalingAt(conic, start) : scalingAtIdentity(conic)),
      newton(conic, threads),
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
  const double now = this->mu();
  return stepTowards({now, now}, {mu, mu}, trace_weight * trace);
}

bool CentralPath::stepWithPrior(double weight, double others) {
  Eigen::VectorXd gradient = weight * trace;
  gradient.tail(problem.scalars).setZero();
  const double of_bodies = scaling.bodyComplementarity();
  const double pairs = 4.0 * problem.bodies;
  const double now = problem.bodies > 0 ? of_bodies / pairs : weight;
  return stepTowards({now, (complementarity - of_bodies) / (problem.degree() - pairs)},
                     {std::min(weight, kMostGrowth * now), others},
                     gradient);
}

std::optional<CentralPath::Direction> CentralPath::direction(Pairs target,
                                                             const Eigen::VectorXd& gradient,
                                                             const Direction* predictor) {
  // Newton's equations of  A^T (A x - b) + gradient + C^T nu = w,  C x + s = d,  with x w and nu s
  // at their targets. The primal step is computed in y = Theta dx, everything else by substitution.
  Eigen::VectorXd centering = scaling.centering(target.bodies, target.others);
  Eigen::ArrayXd bounds = Eigen::ArrayXd::Constant(s.size(), target.others);  // nu s
  if (predictor != nullptr) {
    centering -= scaling.secondOrder(predictor->dx, predictor->dw);
    bounds -= predictor->ds.array() * predictor->dnu.array();
  }
  StepEquations equations;
  equations.r = residual;
  equations.c = (bounds - nu.array() * bound_residual.array()) / (nu.array() * s.array()).sqrt();
  equations.y0 = centering;
  if (!gradient.isZero(0.0)) equations.y0 -= scaling.toScaledDual(gradient);
  std::optional<Eigen::VectorXd> dx = newton.solve(equations);
  if (!dx) return std::nullopt;
  Direction found;
  found.ds = bound_residual - problem.C * scaling.fromScaled(*dx);
  found.dnu = (bounds - nu.array() * found.ds.array()) / s.array() - nu.array();
  found.dw = centering - *dx - scaling.point();
  found.dx = std::move(*dx);
  return found;
}

double CentralPath::lengthOf(const Direction& direction) const {
  double length =
      std::min(scaling.lengthToBoundary(direction.dx), scaling.lengthToBoundary(direction.dw));
  const double lowest = std::min(direction.ds.cwiseQuotient(s).minCoeff(),
                                 direction.dnu.cwiseQuotient(nu).minCoeff());
  if (lowest < 0.0) length = std::min(length, -1.0 / lowest);
  return std::min(1.0, kToBoundary * length);
}

CentralPath::Pairs CentralPath::towards(Pairs now, Pairs final, double share) {
  const auto next = [share](double from, double to) {
    return from > to ? std::max(to, share * from)
                     : std::min(to, from / std::max(share, 1.0 / kMostGrowth));
  };
  return {next(now.bodies, final.bodies), next(now.others, final.others)};
}

bool CentralPath::stepTowards(Pairs now, Pairs final, const Eigen::VectorXd& gradient) {
  newton.setPoint(scaling, (nu.array() / s.array()).sqrt());
  const std::optional<Direction> predictor = direction(final, gradient, nullptr);
  if (!predictor) return false;
  const double reach = lengthOf(*predictor);
  std::optional<Direction> chosen =
      direction(towards(now, final, std::pow(1.0 - reach, std::max(1.0, 3.0 * reach * reach))),
                gradient,
                &*predictor);
  double length = chosen ? lengthOf(*chosen) : 0.0;
  if (length < kShort) {
    std::optional<Direction> plain =
        direction(towards(now, final, plainShare(last_step)), gradient, nullptr);
    const double of_plain = plain ? lengthOf(*plain) : 0.0;
    if (of_plain > length) {
      chosen = std::move(plain);
      length = of_plain;
    }
  }
  if (!(length > 0.0)) return false;
  if (!scaling.advance(length, chosen->dx, chosen->dw)) return false;
  s += length * chosen->ds;
  nu += length * chosen->dnu;
  last_step = length;
  x = scaling.primal();
  w = scaling.dual();
  return x.allFinite() && w.allFinite() && s.minCoeff() > 0.0 && nu.minCoeff() > 0.0;
}

}  // namespace dynid
