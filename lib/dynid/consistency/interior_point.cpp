#include "dynid/consistency/interior_point.h"

#include "dynid/consistency/cone_scaling.h"
#include "dynid/consistency/duality_gap.h"
#include "dynid/consistency/newton_step.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace dynid {
namespace {

constexpr double kToBoundary = 0.99;
constexpr int kPatience = 12;           // steps without the complementarity falling by a tenth
constexpr std::size_t kCandidates = 4;  // last iterates whose certificate is worth a try
constexpr double kRepairDamping = 1.0;  // the proportion of both terms in a Newton step
constexpr double kFeasibility = 1e-12;  // residual of C x + s = d relative to the trace bound

/// Without a predictor: the more of the last step was possible, the farther the next one aims.
double centeringParameter(double last_step) {
  if (last_step > 0.8) return 0.15;
  return last_step > 0.4 ? 0.25 : 0.6;
}

struct Candidate {
  Eigen::VectorXd x;
  Eigen::VectorXd nu;
  ConeScaling scaling;
};

/// State of one walk along the central path.
class Walk {
 public:
  explicit Walk(const ConicProblem& problem);

  /// Optimality residuals at the present point; call before each step.
  void evaluate();
  /// One Newton step towards complementarity mu (each pair), with the linear term trace_weight * a
  /// added to f.
  bool step(double mu, double trace_weight);
  void remember();
  /// Certifies candidate `index` into `result` if it is better than what is there.
  void certify(const Candidate& candidate, InteriorPointResult& result) const;

  const ConicProblem& problem;
  Eigen::VectorXd trace;
  ConeScaling scaling;
  NewtonStep newton;
  Eigen::VectorXd x, w, s, nu;
  Eigen::VectorXd residual, bound_residual;
  double objective = 0.0;
  double complementarity = 0.0;
  double last_step = 1.0;
  bool feasible = false;
  std::deque<Candidate> candidates;

 private:
  static double startValue(const ConicProblem& problem);
  static double startDual(const ConicProblem& problem);
  /// The u near b - A x whose dual slack C^T nu - A^T u is closest to the path's w in the scaled
  /// norm, in which the face that x lives on weighs most: there a rounding error of A x would cost
  /// its size times the trace bound.
  Eigen::VectorXd repairedMultipliers(const Candidate& candidate) const;
};

double Walk::startValue(const ConicProblem& problem) {
  const double size = 4.0 * problem.bodies + problem.scalars;
  return std::min(1.0, 0.5 * problem.d(0) / size);
}

double Walk::startDual(const ConicProblem& problem) {
  const Eigen::VectorXd x = startValue(problem) * coneIdentity(problem.bodies, problem.scalars);
  const Eigen::VectorXd gradient = problem.A.transpose() * (problem.A * x - problem.b);
  return std::max(1e-8, gradient.cwiseAbs().maxCoeff());
}

Walk::Walk(const ConicProblem& conic)
    : problem(conic),
      trace(coneIdentity(conic.bodies, conic.scalars)),
      scaling(conic.bodies, conic.scalars, startValue(conic), startDual(conic)),
      newton(conic),
      x(scaling.primal()),
      w(scaling.dual()) {
  const double mu = startValue(conic) * startDual(conic);
  s = conic.d - conic.C * x;
  for (Eigen::Index i = 0; i < s.size(); ++i)
    s(i) = std::max(s(i), 0.1 * std::max(std::abs(conic.d(i)), 1e-3));
  nu = mu * s.cwiseInverse();
}

void Walk::evaluate() {
  residual = problem.A * x - problem.b;
  objective = 0.5 * residual.squaredNorm() + problem.c0;
  complementarity = scaling.complementarity() + s.dot(nu);
  bound_residual = problem.d - problem.C * x - s;
  feasible = bound_residual.cwiseAbs().maxCoeff() < kFeasibility * problem.d(0);
}

bool Walk::step(double mu, double trace_weight) {
  // Newton's equations of  A^T (A x - b) + trace_weight a + C^T nu = w,  C x + s = d,  x w = nu s =
  // mu: the primal step in y = Theta dx, everything else by substitution.
  const Eigen::VectorXd target = scaling.centering(mu);
  StepEquations equations;
  equations.r = residual;
  equations.rho = (nu.array() / s.array()).sqrt();
  equations.c = (mu - nu.array() * bound_residual.array()) / (nu.array() * s.array()).sqrt();
  equations.y0 = target;
  if (trace_weight > 0.0) equations.y0 -= trace_weight * scaling.toScaledDual(trace);
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

void Walk::remember() {
  if (!feasible) return;
  if (candidates.size() == kCandidates) candidates.pop_front();
  candidates.push_back({x, nu, scaling});
}

Eigen::VectorXd Walk::repairedMultipliers(const Candidate& candidate) const {
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

void Walk::certify(const Candidate& candidate, InteriorPointResult& result) const {
  const RowMajorMatrix& A = problem.A;
  const Eigen::VectorXd plain = problem.b - A * candidate.x;
  const Eigen::VectorXd repaired = A.rows() > 0 ? repairedMultipliers(candidate) : plain;
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
  Walk walk(problem);
  InteriorPointResult result;
  const auto closed = [&] {
    return result.x.size() > 0 &&
           result.gap <= options.gap_tolerance * problem.relativeTo(result.objective);
  };
  double best = std::numeric_limits<double>::infinity();
  int stalled = 0;
  for (;; ++result.iterations) {
    walk.evaluate();
    walk.remember();
    const double wanted = options.gap_tolerance * problem.relativeTo(walk.objective);
    if (walk.feasible && walk.complementarity <= 0.7 * wanted) {
      walk.certify(walk.candidates.back(), result);
      if (closed() || walk.complementarity < 1e-4 * wanted) break;
    }
    stalled = walk.complementarity < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, walk.complementarity);
    if (stalled > kPatience || result.iterations >= options.max_iterations) break;

    const double mu = walk.complementarity / problem.degree();
    const double lowest = 0.02 * wanted / problem.degree();
    if (!walk.step(std::max(lowest, centeringParameter(walk.last_step) * mu), 0.0)) break;
  }
  for (auto c = walk.candidates.rbegin(); c != walk.candidates.rend() && !closed(); ++c)
    walk.certify(*c, result);
  result.converged = closed();
  result.fallback_steps = walk.newton.fallbacks();
  return result;
}

InteriorPointResult entropicPoint(const ConicProblem& problem, double mu, int max_iterations) {
  Walk walk(problem);
  InteriorPointResult result;
  double best = std::numeric_limits<double>::infinity();
  int stalled = 0;
  for (;; ++result.iterations) {
    walk.evaluate();
    const double current = walk.complementarity / problem.degree();
    const Eigen::VectorXd stationarity = mu * walk.trace - walk.w +
                                         problem.C.transpose() * walk.nu +
                                         problem.A.transpose() * walk.residual;
    if (std::abs(current / mu - 1.0) < 0.05 && walk.feasible && stationarity.norm() < 1e-2 * mu) {
      result.x = walk.x;
      result.u = -walk.residual;
      result.nu = walk.nu;
      result.objective = walk.objective;
      result.converged = true;
      break;
    }
    const double distance = std::abs(std::log(current / mu));
    stalled = distance < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, distance);
    if (stalled > kPatience || result.iterations >= max_iterations) break;
    if (!walk.step(std::max(mu, centeringParameter(walk.last_step) * current), mu)) break;
  }
  result.fallback_steps = walk.newton.fallbacks();
  return result;
}

}  // namespace dynid
