#include "dynid/consistency/certificate.h"

#include "dynid/consistency/conic_problem.h"
#include "dynid/consistency/duality_gap.h"
#include "dynid/consistency/prior_fit.h"
#include "dynid/core/text.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace dynid {
namespace {

constexpr double kFeasibility =
    1e-9;  // relative to the size of the numbers: violations below it are rounding errors

/// "" if the sizes are consistent, else the description of the first inconsistency.
std::string shapeComplaint(const Certificate& c) {
  const Eigen::Index scalars = c.scalar_scales.size();
  if (c.bodies < 0 || c.whitening.size() != static_cast<std::size_t>(c.bodies))
    return fmt::format("whitening has {} blocks for {} bodies", c.whitening.size(), c.bodies);
  const Eigen::Index size = 10 * c.bodies + scalars;
  if (size == 0) return "empty";
  if (c.A.cols() != size || c.x.size() != size || c.a.size() != size)
    return fmt::format("A, x or a do not have {} columns", size);
  if (c.b.size() != c.A.rows() || c.u.size() != c.A.rows())
    return "b or u do not match the rows of A";
  if (c.d.size() != c.C.rows() || c.nu.size() != c.C.rows() ||
      (c.C.rows() > 0 && c.C.cols() != size))
    return "C, d and nu do not match";
  return {};
}

bool allFinite(const Certificate& c) {
  return c.A.allFinite() && c.b.allFinite() && std::isfinite(c.c0) && c.scalar_scales.allFinite() &&
         std::isfinite(c.margin) && c.a.allFinite() && std::isfinite(c.T) && c.C.allFinite() &&
         c.d.allFinite() && c.x.allFinite() && c.u.allFinite() && c.nu.allFinite() &&
         std::isfinite(c.z_squared) &&
         std::all_of(c.whitening.begin(), c.whitening.end(), [](const Eigen::Matrix4d& G) {
           return G.allFinite();
         });
}

std::string numberComplaint(const Certificate& c) {
  if (!allFinite(c)) return "a number is not finite";
  const int scalars = static_cast<int>(c.scalar_scales.size());
  if (c.a != coneIdentity(c.bodies, scalars)) return "a is not the gradient of the trace";
  if (c.c0 < 0.0 || c.z_squared < 0.0) return "c0 or z_squared is negative";
  if (c.nu.size() > 0 && c.nu.minCoeff() < 0.0) return "a multiplier nu is negative";
  return {};
}

void expectPoint(const Certificate& c, const Eigen::VectorXd& x) {
  const Eigen::Index size = 10 * Eigen::Index{c.bodies} + c.scalar_scales.size();
  if (std::ssize(c.whitening) != c.bodies || x.size() != size)
    throw std::invalid_argument(fmt::format(
        "got {} numbers for a certificate of {} bodies, {} whitening matrices and {} scalars; "
        "expected ten per body and one per scalar",
        x.size(),
        c.bodies,
        c.whitening.size(),
        c.scalar_scales.size()));
}

}  // namespace

double certificateObjective(const Certificate& certificate, const Eigen::VectorXd& x) {
  if (x.size() != certificate.A.cols() || certificate.b.size() != certificate.A.rows())
    throw std::invalid_argument(fmt::format(
        "got {} numbers for a certificate of {} columns", x.size(), certificate.A.cols()));
  return 0.5 * (certificate.A * x - certificate.b).squaredNorm() + certificate.c0;
}

CertificateCheck checkCertificate(const Certificate& c) {
  CertificateCheck check;
  check.reason = shapeComplaint(c);
  if (check.reason.empty()) check.reason = numberComplaint(c);
  if (!check.reason.empty()) return check;

  const int scalars = static_cast<int>(c.scalar_scales.size());
  const Eigen::MatrixXd C = c.C.rows() > 0 ? c.C : Eigen::MatrixXd(0, c.x.size());
  const DualityGap bound = dualityGap(c.A, c.b, C, c.d, c.T, c.bodies, c.x, c.u, c.nu);
  check.objective = certificateObjective(c, c.x);
  check.gap = bound.gap;
  check.trace_multiplier = bound.trace_multiplier;
  const double reference = std::max(check.objective, 1e-6 * 0.5 * c.z_squared);
  check.relative_gap = reference > 0.0 ? bound.gap / reference : bound.gap;
  check.min_eigenvalue = smallestConeEigenvalue(c.x, c.bodies, scalars);
  check.max_bound_violation = std::max(0.0, c.a.dot(c.x) - c.T);
  if (c.d.size() > 0)
    check.max_bound_violation = std::max(check.max_bound_violation, (C * c.x - c.d).maxCoeff());

  const double size = std::max(1.0, c.x.cwiseAbs().maxCoeff());
  if (check.min_eigenvalue < -kFeasibility * size)
    check.reason = "x is not physically consistent: smallest eigenvalue " +
                   toText(check.min_eigenvalue) + " in whitened coordinates";
  else if (check.max_bound_violation > kFeasibility * std::max(size, c.T))
    check.reason = "x violates a bound by " + toText(check.max_bound_violation) + " in scaled rows";
  check.valid = check.reason.empty();
  return check;
}

PriorCheck checkPriorCertificate(const Certificate& c) {
  PriorCheck check;
  const PriorCertificate& prior = c.prior;
  if (!(prior.weight > 0.0)) {
    check.reason = "there is no fit with prior";
    return check;
  }
  const bool same = prior.A.size() == 0;
  ConicProblem problem;
  problem.bodies = c.bodies;
  problem.scalars = static_cast<int>(c.scalar_scales.size());
  problem.A = same ? c.A : prior.A;
  problem.b = same ? c.b : prior.b;
  problem.c0 = same ? c.c0 : prior.c0;
  if (!checkCertificate(c).valid || problem.A.cols() != c.x.size() ||
      problem.b.size() != problem.A.rows() || prior.x.size() != c.x.size() ||
      prior.nu.size() != 1 + c.d.size() || !prior.x.allFinite() || !prior.nu.allFinite() ||
      (prior.u.size() != 0 && prior.u.size() != problem.A.rows()) || !prior.u.allFinite() ||
      !problem.A.allFinite() || !problem.b.allFinite() || !std::isfinite(problem.c0) ||
      prior.nu.minCoeff() < 0.0) {
    check.reason = "the numbers of the fit with prior do not fit together";
    return check;
  }
  problem.C.resize(prior.nu.size(), problem.size());
  problem.d.resize(prior.nu.size());
  problem.C << c.a.transpose(), c.C;
  problem.d << c.T, c.d;
  check.objective = priorObjective(problem, prior.weight, prior.x);
  const Eigen::VectorXd u =
      prior.u.size() > 0 ? prior.u : Eigen::VectorXd(problem.b - problem.A * prior.x);
  const double gap = priorGap(problem, prior.weight, prior.x, u, prior.nu);
  check.relative_gap = gap / std::max(check.objective, 1e-6 * 0.5 * c.z_squared);
  const double violation = (problem.C * prior.x - problem.d).maxCoeff();
  const double size = std::max({1.0, prior.x.cwiseAbs().maxCoeff(), c.T});
  if (smallestConeEigenvalue(prior.x, c.bodies, problem.scalars) < 0.0)
    check.reason = "x of the fit with prior is not physically consistent";
  else if (violation > kFeasibility * size)
    check.reason = "x of the fit with prior violates a bound by " + toText(violation);
  else if (!std::isfinite(check.relative_gap))
    check.reason = "the multipliers of the fit with prior give no finite bound";
  check.valid = check.reason.empty();
  return check;
}

Eigen::VectorXd standardFromWhitened(const Certificate& c, const Eigen::VectorXd& x) {
  expectPoint(c, x);
  Eigen::VectorXd standard(x.size());
  for (int k = 0; k < c.bodies; ++k) {
    const Eigen::Matrix4d& G = c.whitening[k];
    const Eigen::Matrix4d Q = smat(x.segment<10>(10 * k)) + c.margin * Eigen::Matrix4d::Identity();
    standard.segment<10>(10 * k) = inertialFromPseudo(G * Q * G.transpose());
  }
  standard.tail(c.scalar_scales.size()) =
      c.scalar_scales.cwiseProduct(x.tail(c.scalar_scales.size()));
  return standard;
}

Eigen::VectorXd whitenedFromStandard(const Certificate& c, const Eigen::VectorXd& standard) {
  expectPoint(c, standard);
  Eigen::VectorXd x(standard.size());
  for (int k = 0; k < c.bodies; ++k) {
    const auto L = c.whitening[k].triangularView<Eigen::Lower>();
    const Eigen::Matrix4d half = L.solve(pseudoInertia(standard.segment<10>(10 * k)));
    const Eigen::Matrix4d Q = L.solve(Eigen::Matrix4d(half.transpose()));
    x.segment<10>(10 * k) = svec(Q - c.margin * Eigen::Matrix4d::Identity());
  }
  x.tail(c.scalar_scales.size()) =
      standard.tail(c.scalar_scales.size()).cwiseQuotient(c.scalar_scales);
  return x;
}

}  // namespace dynid
