#include "dynid/consistency/physical_fit.h"

#include "dynid/consistency/first_stage.h"
#include "dynid/consistency/interior_point.h"
#include "dynid/consistency/second_stage.h"
#include "dynid/consistency/whitened_fit.h"
#include "dynid/core/text.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <stdexcept>

namespace dynid {
namespace {

constexpr double kActive = 1e-6;
constexpr double kLeastSlack =
    1e-13;  // of ||z||^2: the entropic path cannot be followed closer to exact data

/// CPU time of this thread [s]: the machine may be busy.
double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void requireSizes(const PhysicalFitProblem& problem) {
  const auto complain = [](const std::string& got, const std::string& expected) {
    throw std::invalid_argument("solvePhysicalFit: " + got + "; expected " + expected);
  };
  if (problem.bodies < 0 || problem.nonnegative < 0 || problem.free < 0 ||
      problem.bodies + problem.nonnegative == 0)
    complain("no bodies and no nonnegative columns", "at least one");
  const Eigen::Index columns = 10 * problem.bodies + problem.nonnegative;
  if (problem.R.cols() != columns + problem.free)
    complain("R with " + std::to_string(problem.R.cols()) + " columns",
             std::to_string(columns + problem.free));
  if (problem.z.size() != problem.R.rows())
    complain("z with " + std::to_string(problem.z.size()) + " rows",
             std::to_string(problem.R.rows()));
  if (problem.prior.size() != static_cast<std::size_t>(problem.bodies))
    complain(std::to_string(problem.prior.size()) + " priors", "one a body");
  if (problem.C.rows() != problem.d.size() || (problem.d.size() > 0 && problem.C.cols() != columns))
    complain("bounds C of " + std::to_string(problem.C.rows()) + " x " +
                 std::to_string(problem.C.cols()),
             std::to_string(problem.d.size()) + " x " + std::to_string(columns));
  if (problem.bound_names.size() != static_cast<std::size_t>(problem.d.size()))
    complain(std::to_string(problem.bound_names.size()) + " bound names", "one a row of C");
  if (!problem.R.allFinite() || !problem.z.allFinite() || !problem.C.allFinite() ||
      !problem.d.allFinite())
    complain("a number in R, z, C or d that is not finite", "finite numbers");
  if (!(problem.residual_squared >= 0.0) || !std::isfinite(problem.residual_squared))
    complain("residual_squared = " + toText(problem.residual_squared), "a number not below zero");
}

void requirePriors(const PhysicalFitProblem& problem) {
  for (std::size_t k = 0; k < problem.prior.size(); ++k) {
    const InertialParameters& prior = problem.prior[k];
    const double smallest = prior.allFinite() ? smallestPseudoEigenvalue(prior)
                                              : std::numeric_limits<double>::quiet_NaN();
    const double largest = prior.allFinite() ? pseudoInertia(prior).trace() : 0.0;
    if (!(smallest > 1e-14 * largest) || !(smallest > 0.0))
      throw std::invalid_argument("solvePhysicalFit: prior of body " + std::to_string(k) +
                                  " with smallest pseudo-inertia eigenvalue " + toText(smallest) +
                                  "; expected a body strictly inside the cone (capsulePrior)");
  }
}

/// The proof in the units of the user's objective.
Certificate certificateOf(const WhitenedFit& fit, const InteriorPointResult& first) {
  const double scale = fit.z_norm;
  const Eigen::Index bounds = fit.conic.d.size() - 1;
  Certificate c;
  c.bodies = fit.conic.bodies;
  c.A = scale * fit.conic.A;
  c.b = scale * fit.conic.b;
  c.c0 = scale * scale * fit.conic.c0;
  c.whitening = fit.whitening;
  c.scalar_scales = fit.scalar_scales;
  c.margin = fit.margin;
  c.a = coneIdentity(fit.conic.bodies, fit.conic.scalars);
  c.T = fit.conic.d(0);
  c.C = fit.conic.C.bottomRows(bounds);
  c.d = fit.conic.d.tail(bounds);
  c.x = first.x;
  c.u = scale * first.u;
  c.nu = scale * scale * first.nu.tail(bounds);
  c.z_squared = scale * scale;
  return c;
}

/// First-order (and, f being convex in the margin, greatest possible) cost of the margin.
double marginCost(const Certificate& c) {
  Eigen::VectorXd w = c.C.transpose() * c.nu;
  w -= c.A.transpose() * c.u;
  return std::max(0.0, c.margin * w.head(10 * c.bodies).dot(c.a.head(10 * c.bodies)));
}

std::vector<BoundReport> reportBounds(const PhysicalFitProblem& problem,
                                      const WhitenedFit& fit,
                                      const InteriorPointResult& first,
                                      double trace_multiplier,
                                      const Eigen::VectorXd& x) {
  const double scale = fit.z_norm * fit.z_norm;
  const Eigen::VectorXd slack = fit.conic.d - fit.conic.C * first.x;
  std::vector<BoundReport> reports;
  for (Eigen::Index i = 0; i < problem.d.size(); ++i) {
    BoundReport report;
    report.name = problem.bound_names[static_cast<std::size_t>(i)];
    report.value = problem.C.row(i).dot(x.head(problem.C.cols()));
    report.limit = problem.d(i);
    report.multiplier = first.nu(i + 1) * scale / fit.row_scales(i);
    report.active = slack(i + 1) < kActive || first.nu(i + 1) > slack(i + 1);
    reports.push_back(std::move(report));
  }
  BoundReport size;
  size.name = "overall size";
  size.limit = fit.conic.d(0);
  size.value = size.limit - slack(0);
  size.multiplier = trace_multiplier;
  size.active = slack(0) < kActive * size.limit;
  reports.push_back(std::move(size));
  return reports;
}

/// Appends the free columns' values, the least-squares answer to what the others leave.
Eigen::VectorXd withFreeColumns(const PhysicalFitProblem& problem,
                                const WhitenedFit& fit,
                                const Eigen::VectorXd& standard) {
  Eigen::VectorXd x(standard.size() + problem.free);
  x.head(standard.size()) = standard;
  if (problem.free > 0)
    x.tail(problem.free) =
        fit.free_columns.solve(problem.z - problem.R.leftCols(standard.size()) * standard);
  return x;
}

double smallestPseudoEigenvalue(const Eigen::VectorXd& x, int bodies) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < bodies; ++k)
    smallest = std::min(smallest, dynid::smallestPseudoEigenvalue(x.segment<10>(10 * k)));
  return smallest;
}

/// The point of the second stage, or the first stage's where there is none.
Eigen::VectorXd secondStage(const PhysicalFitProblem& problem,
                            const PhysicalFitOptions& options,
                            const WhitenedFit& fit,
                            const FirstStage& stage,
                            PhysicalFitResult& result) {
  const InteriorPointResult& first = stage.optimum;
  if (!options.second_stage) return first.x;
  const double rows = problem.rows > 0.0 ? problem.rows : static_cast<double>(problem.R.rows());
  double slack = first.objective / std::max(1.0, rows - fit.rank);
  slack = std::max({slack, first.gap, kLeastSlack});
  const SecondStageResult second =
      closestToPrior(fit.conic, first.objective, slack, options.max_iterations, stage.start);
  result.iterations += second.iterations;
  result.fallback_steps += second.fallback_steps;
  if (second.x.size() == 0) {
    result.reason =
        "second stage reached no point of its path; the parameters are those of the first";
    return first.x;
  }
  return second.x;
}

void explainGap(const PhysicalFitOptions& options,
                const InteriorPointResult& first,
                PhysicalFitResult& result) {
  result.converged = first.converged;
  if (first.converged) {
    if (result.reason.empty() && result.bounds.back().active)
      result.reason =
          "the bound on the overall size is active: give mass bounds, or a better prior";
    return;
  }
  result.reason = "gap " + toText(result.relative_duality_gap) + " not closed to " +
                  toText(options.gap_tolerance) + " in " + std::to_string(first.iterations) +
                  " steps; the true optimum is at most that much better";
}

}  // namespace

void PhysicalFitOptions::check() const {
  const auto complain = [](const std::string& field, double value, const std::string& expected) {
    throw std::invalid_argument("PhysicalFitOptions: " + field + " = " + toText(value) +
                                "; expected " + expected);
  };
  if (!(margin >= 0.0 && margin < 1.0)) complain("margin", margin, "at least 0, below 1");
  if (!(gap_tolerance > 0.0 && gap_tolerance < 1.0))
    complain("gap_tolerance", gap_tolerance, "between 0 and 1");
  if (max_iterations < 1) complain("max_iterations", max_iterations, "at least 1");
  if (!(tau >= 2.0) || !std::isfinite(tau)) complain("tau", tau, "at least 2");
}

PhysicalFitResult solvePhysicalFit(const PhysicalFitProblem& problem,
                                   const PhysicalFitOptions& options) {
  const double start = threadSeconds();
  options.check();
  requireSizes(problem);
  requirePriors(problem);

  PhysicalFitResult result;
  result.margin = options.margin;
  WhitenedFit fit = whiten(problem, options);
  result.prior_scale = fit.prior_scale;
  result.rank = fit.rank;

  const FirstStage stage = solveFirstStage(problem, options, fit.conic, result.reason);
  const InteriorPointResult& first = stage.optimum;
  result.iterations = first.iterations;
  if (first.x.size() > 0) {
    result.feasible = true;
    result.fallback_steps = first.fallback_steps;
    result.certificate = certificateOf(fit, first);
    const Certificate& certificate = result.certificate;
    const CertificateCheck check = checkCertificate(certificate);
    result.objective_optimal = check.objective;
    result.relative_duality_gap = check.relative_gap;
    result.margin_cost = marginCost(certificate);
    const Eigen::VectorXd final_x = secondStage(problem, options, fit, stage, result);
    result.objective = certificateObjective(certificate, final_x);
    result.second_stage_cost = result.objective - result.objective_optimal;
    result.x_first_stage =
        withFreeColumns(problem, fit, standardFromWhitened(certificate, first.x));
    result.x = withFreeColumns(problem, fit, standardFromWhitened(certificate, final_x));
    result.min_eigenvalue = smallestPseudoEigenvalue(result.x, problem.bodies);
    result.bounds = reportBounds(problem, fit, first, check.trace_multiplier, result.x);
    explainGap(options, first, result);
  }
  result.seconds = threadSeconds() - start;
  return result;
}

}  // namespace dynid
