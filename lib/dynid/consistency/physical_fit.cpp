#include "dynid/consistency/physical_fit.h"

#include "dynid/consistency/first_stage.h"
#include "dynid/consistency/interior_point.h"
#include "dynid/consistency/passivity.h"
#include "dynid/consistency/prior_fit.h"
#include "dynid/consistency/prior_scale.h"
#include "dynid/consistency/second_stage.h"
#include "dynid/consistency/whitened_fit.h"
#include "dynid/core/text.h"
#include "dynid/math/solve_at_rank.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <functional>
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
    throw std::invalid_argument("the physical fit got " + got + "; expected " + expected);
  };
  if (problem.bodies < 0 || problem.nonnegative < 0 || problem.free < 0 ||
      problem.bodies + problem.nonnegative == 0)
    complain("no bodies and no nonnegative columns", "at least one");
  if (problem.payloads < 0 || problem.payloads > problem.bodies)
    complain(fmt::format("{} payloads", problem.payloads),
             fmt::format("at most the {} bodies", problem.bodies));
  const Eigen::Index columns = 10 * problem.bodies + problem.nonnegative;
  if (problem.R.cols() != columns + problem.free)
    complain(fmt::format("R with {} columns", problem.R.cols()),
             std::to_string(columns + problem.free));
  if (problem.z.size() != problem.R.rows())
    complain(fmt::format("z with {} rows", problem.z.size()), std::to_string(problem.R.rows()));
  if (problem.prior.size() != static_cast<std::size_t>(problem.bodies))
    complain(std::to_string(problem.prior.size()) + " priors", "one per body");
  if (problem.C.rows() != problem.d.size() || (problem.d.size() > 0 && problem.C.cols() != columns))
    complain(fmt::format("bounds C of {} x {}", problem.C.rows(), problem.C.cols()),
             fmt::format("{} x {}", problem.d.size(), columns));
  if (problem.bound_names.size() != static_cast<std::size_t>(problem.d.size()))
    complain(std::to_string(problem.bound_names.size()) + " bound names", "one per row of C");
  if (!problem.R.allFinite() || !problem.z.allFinite() || !problem.C.allFinite() ||
      !problem.d.allFinite())
    complain("a number in R, z, C or d that is not finite", "finite numbers");
  if (problem.free_prior.size() != 0 && problem.free_prior.size() != problem.free)
    complain(std::to_string(problem.free_prior.size()) + " priors of free columns",
             "none or " + std::to_string(problem.free));
  for (const PassiveGroup& group : problem.passive)
    if (group.rows.cols() != std::ssize(group.columns) ||
        group.speeds.size() + std::ssize(group.further) != group.rows.rows() ||
        !group.rows.allFinite())
      complain("rows of " + group.name + " that do not fit its columns and speeds",
               "finite rows, one per speed and further name, one column per parameter");
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
      throw std::invalid_argument(fmt::format(
          "the prior of body {} has the smallest pseudo-inertia eigenvalue {}; expected a "
          "body whose pseudo-inertia is positive definite",
          k,
          toText(smallest)));
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

/// <w_k, 1> for every body, w the dual of the first stage.
Eigen::VectorXd bodyMultipliers(const Certificate& c) {
  Eigen::VectorXd w = c.C.transpose() * c.nu;
  w -= c.A.transpose() * c.u;
  Eigen::VectorXd multipliers(c.bodies);
  for (int k = 0; k < c.bodies; ++k)
    multipliers(k) = std::max(0.0, w.segment<10>(10 * k).dot(c.a.segment<10>(10 * k)));
  return multipliers;
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
    report.name = problem.bound_names[i];
    report.value = problem.C.row(i).dot(x.head(problem.C.cols()));
    report.limit = problem.d(i);
    report.multiplier = first.nu(i + 1) * scale / fit.row_scales(i);
    report.active = slack(i + 1) < kActive || first.nu(i + 1) > slack(i + 1);
    reports.push_back(std::move(report));
  }
  BoundReport size;
  size.name = kOverallSizeBound;
  size.limit = fit.conic.d(0);
  size.value = size.limit - slack(0);
  size.multiplier = trace_multiplier;
  size.active = overallSizeIsActive(fit.conic, first.x);
  reports.push_back(std::move(size));
  return reports;
}

/// Appends the values of the free columns: least squares of the residual of the others.
Eigen::VectorXd withFreeColumns(const PhysicalFitProblem& problem,
                                const WhitenedFit& fit,
                                const Eigen::VectorXd& standard) {
  Eigen::VectorXd x(standard.size() + problem.free);
  x.head(standard.size()) = standard;
  if (problem.free > 0)
    x.tail(problem.free) =
        solveAtRank(fit.free_columns, problem.z - problem.R.leftCols(standard.size()) * standard);
  return x;
}

double smallestPseudoEigenvalue(const Eigen::VectorXd& x, int bodies) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < bodies; ++k)
    smallest = std::min(smallest, dynid::smallestPseudoEigenvalue(x.segment<10>(10 * k)));
  return smallest;
}

/// Rows sqrt(weight) * free_prior below the regression: the prior of free columns.
PhysicalFitProblem withFreePrior(const PhysicalFitProblem& problem, double weight) {
  PhysicalFitProblem result = problem;
  const Eigen::Index rows = problem.R.rows();
  result.R.conservativeResize(rows + problem.free, Eigen::NoChange);
  result.R.bottomRows(problem.free).setZero();
  result.R.bottomRightCorner(problem.free, problem.free).diagonal() =
      std::sqrt(weight) * problem.free_prior;
  result.z.conservativeResize(rows + problem.free);
  result.z.tail(problem.free).setZero();
  return result;
}

bool hasFreePrior(const PhysicalFitProblem& problem) {
  return problem.free_prior.size() > 0 && !problem.free_prior.isZero(0.0);
}

/// 1 - v / v0 for every mass, v its variance under data and prior, v0 under the prior alone, both
/// from the second derivatives at x: m^2 / weight is the variance of the log-det prior.
std::vector<double> massFromData(const WhitenedFit& fit, double weight, const Eigen::VectorXd& x) {
  const Eigen::Index size = fit.conic.size();
  Eigen::MatrixXd H = fit.conic.A.transpose() * fit.conic.A;
  H.diagonal().array() += 1e-12 * std::max(H.diagonal().maxCoeff(), weight);
  for (int k = 0; k < fit.conic.bodies; ++k) {
    const Eigen::Matrix4d Q_inverse = smat(x.segment<10>(10 * k)).inverse();
    const Eigen::Matrix4d root = Q_inverse.llt().matrixL();
    const Matrix10d map = congruence(root.transpose());
    H.block<10, 10>(10 * k, 10 * k) += weight * map.transpose() * map;
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(H);
  std::vector<double> shares;
  for (int k = 0; k < fit.conic.bodies; ++k) {
    const Eigen::Vector4d c = fit.whitening[k].row(3).transpose();
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(size);
    mass.segment<10>(10 * k) = svec(c * c.transpose());
    const double prior_variance = std::pow(mass.dot(x), 2) / weight;
    const double variance = mass.dot(llt.solve(mass));
    shares.push_back(std::clamp(1.0 - variance / prior_variance, 0.0, 1.0));
  }
  return shares;
}

/// The fit with the prior of the options; empty where it fails.
Eigen::VectorXd priorStage(const PhysicalFitProblem& problem,
                           const PhysicalFitOptions& options,
                           const WhitenedFit& fit,
                           const FirstStage& stage,
                           PhysicalFitResult& result) {
  const double scale = fit.z_norm * fit.z_norm;
  PhysicalFitProblem extended;
  WhitenedFit with_prior = fit;
  if (hasFreePrior(problem)) {
    extended = withFreePrior(problem, options.prior_weight);
    with_prior = whiten(extended, options, fit.prior_scale);
    with_prior.conic.d = fit.conic.d;  // the first stage may have moved them
  }
  const PriorFitResult fitted =
      fitWithPrior(
          with_prior.conic,
          {options.prior_weight / scale},
          {options.gap_tolerance, 2 * options.max_iterations, stage.start, options.threads})
          .front();
  result.iterations += fitted.iterations;
  result.fallback_steps += fitted.fallback_steps;
  if (!fitted.converged) return {};
  PriorCertificate& prior = result.certificate.prior;
  prior.weight = options.prior_weight;
  prior.x = fitted.x;
  prior.u = fit.z_norm * fitted.u;
  prior.nu = scale * fitted.nu;
  if (hasFreePrior(problem)) {
    prior.A = fit.z_norm * with_prior.conic.A;
    prior.b = fit.z_norm * with_prior.conic.b;
    prior.c0 = scale * with_prior.conic.c0;
  }
  result.prior_weight = options.prior_weight;
  result.mass_from_data = massFromData(with_prior, options.prior_weight / scale, fitted.x);
  result.prior_relative_gap = checkPriorCertificate(result.certificate).relative_gap;
  return withFreeColumns(hasFreePrior(problem) ? extended : problem,
                         with_prior,
                         standardFromWhitened(result.certificate, fitted.x));
}

/// f of all parameters, free ones included.
double objectiveOf(const PhysicalFitProblem& problem, const Eigen::VectorXd& x) {
  return 0.5 * ((problem.R * x - problem.z).squaredNorm() + problem.residual_squared);
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
  const SecondStageResult second = closestToPrior(
      fit.conic, first.objective, slack, options.max_iterations, stage.start, options.threads);
  result.iterations += second.iterations;
  result.fallback_steps += second.fallback_steps;
  if (second.x.size() == 0) {
    result.reason = "the second stage did not converge; the parameters are those of the first";
    return first.x;
  }
  return second.x;
}

/// The parameters of the second stage, free ones included.
Eigen::VectorXd finalParameters(const PhysicalFitProblem& problem,
                                const PhysicalFitOptions& options,
                                const WhitenedFit& fit,
                                const FirstStage& stage,
                                PhysicalFitResult& result) {
  if (options.second_stage && options.prior_weight > 0.0) {
    Eigen::VectorXd with_prior = priorStage(problem, options, fit, stage, result);
    if (with_prior.size() > 0) return with_prior;
    result.reason =
        "the fit with the prior did not converge; the parameters are the closest to the prior "
        "within one unit of chi-square";
  }
  const Eigen::VectorXd x = secondStage(problem, options, fit, stage, result);
  return withFreeColumns(problem, fit, standardFromWhitened(result.certificate, x));
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
  result.reason = fmt::format(
      "gap {} not closed to {} in {} steps; the true optimum is at most that much better",
      toText(result.relative_duality_gap),
      toText(options.gap_tolerance),
      first.iterations);
}

// The fit under nonnegative columns and bounds alone.
// @param acceptable  called with the parameters of the first stage; if it returns false, these are
// the result
PhysicalFitResult solveBounded(const PhysicalFitProblem& problem,
                               const PhysicalFitOptions& options,
                               const std::function<bool(const Eigen::VectorXd&)>& acceptable) {
  PhysicalFitResult result;
  result.margin = options.margin;
  WhitenedFit fit = whiten(problem, options, priorScale(problem));
  result.prior_scale = fit.prior_scale;
  result.rank = fit.rank;

  const double limit = fit.conic.d(0);
  const FirstStage stage = solveFirstStage(problem, options, fit.conic, result.reason);
  result.tau = options.tau * fit.conic.d(0) / limit;
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
    result.body_multipliers = bodyMultipliers(certificate);
    result.x_first_stage =
        withFreeColumns(problem, fit, standardFromWhitened(certificate, first.x));
    result.x = acceptable(result.x_first_stage)
                   ? finalParameters(problem, options, fit, stage, result)
                   : result.x_first_stage;
    result.objective = objectiveOf(problem, result.x);
    result.second_stage_cost = std::max(0.0, result.objective - result.objective_optimal);
    result.min_eigenvalue = smallestPseudoEigenvalue(result.x, problem.bodies);
    result.bounds = reportBounds(problem, fit, first, check.trace_multiplier, result.x);
    explainGap(options, first, result);
  }
  return result;
}

constexpr double kPassive = 1e-10;  // of the largest effort: smaller violations are rounding
constexpr int kMostRounds = 30;

// The rows of friction groups that the parameters of both stages violate.
std::vector<PassivityRow> violatedRows(const PhysicalFitProblem& problem,
                                       const PassiveVariables& variables,
                                       const PhysicalFitResult& result) {
  std::vector<PassivityRow> rows;
  for (const Eigen::VectorXd& x : {result.x_first_stage, result.x})
    for (const PassivityRow& row :
         passivityViolations(problem.passive, variables.map * x, kPassive)) {
      const auto same = [&](const PassivityRow& known) {
        return known.group == row.group && known.row == row.row;
      };
      if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back(row);
    }
  return rows;
}

PhysicalFitResult solvePassive(const PhysicalFitProblem& problem,
                               const PhysicalFitOptions& options) {
  PassiveVariables variables = passiveVariables(problem);
  const auto passive = [&](const Eigen::VectorXd& x) {
    return passivityViolations(problem.passive, variables.map * x, kPassive).empty();
  };
  PhysicalFitResult result;
  std::vector<PassivityRow> added;
  int iterations = 0, fallback_steps = 0;
  for (int round = 0;; ++round) {
    // The second stage is computed only when the first stage violates no row any more.
    result = solveBounded(variables.problem, options, passive);
    iterations += result.iterations;
    fallback_steps += result.fallback_steps;
    if (!result.feasible) break;
    const std::vector<PassivityRow> violated = violatedRows(problem, variables, result);
    if (violated.empty()) break;
    if (round == kMostRounds) {
      result.converged = false;
      result.reason = fmt::format("friction did not become passive in {} rounds", round);
      break;
    }
    for (const PassivityRow& row : violated) {
      addPassivityRow(problem.passive[row.group], row.row, variables);
      added.push_back(row);
    }
  }
  result.iterations = iterations;
  result.fallback_steps = fallback_steps;
  result.passivity = std::move(added);
  if (result.feasible) {
    result.x = variables.map * result.x;
    result.x_first_stage = variables.map * result.x_first_stage;
  }
  return result;
}

}  // namespace

void PhysicalFitOptions::check() const {
  const auto complain = [](const std::string& field, double value, const std::string& expected) {
    throw std::invalid_argument("`" + field + "` is " + toText(value) + "; expected " + expected);
  };
  if (!(margin >= 0.0 && margin < 1.0)) complain("margin", margin, "at least 0, below 1");
  if (!(gap_tolerance > 0.0 && gap_tolerance < 1.0))
    complain("gap_tolerance", gap_tolerance, "between 0 and 1");
  if (max_iterations < 1) complain("max_iterations", max_iterations, "at least 1");
  if (!(prior_weight >= 0.0) || !std::isfinite(prior_weight))
    complain("prior_weight", prior_weight, "at least 0");
  if (!(tau >= 2.0) || !std::isfinite(tau)) complain("tau", tau, "at least 2");
}

PhysicalFitResult solvePhysicalFit(const PhysicalFitProblem& problem,
                                   const PhysicalFitOptions& options) {
  const double start = threadSeconds();
  options.check();
  requireSizes(problem);
  requirePriors(problem);
  const auto any = [](const Eigen::VectorXd&) { return true; };
  PhysicalFitResult result = problem.passive.empty() ? solveBounded(problem, options, any)
                                                     : solvePassive(problem, options);
  result.seconds = threadSeconds() - start;
  return result;
}

std::vector<Eigen::VectorXd> fitPriors(const PhysicalFitProblem& problem,
                                       const PhysicalFitOptions& options,
                                       const std::vector<double>& weights,
                                       const std::vector<PassivityRow>& passivity,
                                       double tolerance) {
  PassiveVariables variables = passiveVariables(problem);
  for (const PassivityRow& row : passivity)
    addPassivityRow(problem.passive[row.group], row.row, variables);
  const PhysicalFitProblem& reduced = variables.problem;
  const double prior_scale = priorScale(reduced);
  const auto solve = [&](const PhysicalFitProblem& whole, const std::vector<double>& of) {
    const WhitenedFit fit = whiten(whole, options, prior_scale);
    std::vector<double> scaled;
    for (double weight : of) scaled.push_back(weight / (fit.z_norm * fit.z_norm));
    Certificate coordinates;
    coordinates.bodies = whole.bodies;
    coordinates.whitening = fit.whitening;
    coordinates.scalar_scales = fit.scalar_scales;
    coordinates.margin = fit.margin;
    std::vector<Eigen::VectorXd> points;
    for (const PriorFitResult& point :
         fitWithPrior(fit.conic, scaled, {tolerance, options.max_iterations, {}, options.threads}))
      points.push_back(
          point.converged
              ? Eigen::VectorXd(
                    variables.map *
                    withFreeColumns(whole, fit, standardFromWhitened(coordinates, point.x)))
              : Eigen::VectorXd());
    return points;
  };
  if (!hasFreePrior(reduced)) return solve(reduced, weights);
  std::vector<Eigen::VectorXd> points;
  for (double weight : weights)
    points.push_back(solve(withFreePrior(reduced, weight), {weight}).front());
  return points;
}

}  // namespace dynid
