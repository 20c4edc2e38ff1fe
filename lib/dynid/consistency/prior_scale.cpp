#include "dynid/consistency/prior_scale.h"

#include "dynid/math/outside_span.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr double kScaleMin = 0.05;
constexpr double kScaleMax = 20.0;
// An estimate of sigma between 1 / kTrusted and kTrusted is replaced by 1: undeclared payloads and
// cables, which no column explains, shift the estimate by up to this factor. (A common error of all
// described masses is found to 0.2 % on simulated arms.)
constexpr double kTrusted = 1.3;
// The standard deviation assumes white noise. Correlated noise makes the true one up to five times
// as large.
constexpr double kDeviations = 10.0;
constexpr double kLeastEnergy = 1e-12;  // of the response outside the span, relative to all of it

/// Columns of the payloads and, if asked for, of the nonnegative and free scalars.
Eigen::MatrixXd columnsBesideLinks(const PhysicalFitProblem& problem, bool scalars) {
  const Eigen::Index first = 10 * Eigen::Index{problem.bodies - problem.payloads};
  const Eigen::Index last = scalars ? problem.R.cols() : 10 * Eigen::Index{problem.bodies};
  return problem.R.middleCols(first, last - first);
}

/// The response of the links' prior and the effort.
struct Response {
  Eigen::VectorXd links, effort;
  double energy() const { return links.squaredNorm(); }
  double scale() const { return links.dot(effort) / energy(); }
};

Response outside(const Eigen::MatrixXd& columns, const Response& whole) {
  Eigen::MatrixXd both(whole.links.size(), 2);
  both << whole.links, whole.effort;
  both = outsideSpan(columns, std::move(both));
  return {both.col(0), both.col(1)};
}

}  // namespace

double priorScale(const PhysicalFitProblem& problem) {
  Response whole{Eigen::VectorXd::Zero(problem.z.size()), problem.z};
  for (int k = 0; k < problem.bodies - problem.payloads; ++k)
    whole.links += problem.R.middleCols<10>(10 * k) * problem.prior[k];
  if (!(whole.energy() > 0.0)) return 1.0;
  const bool described = problem.trust_prior_scale && problem.scale_known;
  Response rest = outside(columnsBesideLinks(problem, problem.trust_prior_scale), whole);
  if (!(rest.energy() > kLeastEnergy * whole.energy())) {
    if (described) return 1.0;
    rest = whole;
  }
  const double scale = rest.scale();
  if (!problem.scale_known)
    return std::max(scale, kScaleMin * whole.effort.norm() / whole.links.norm());
  if (described) {
    const double std_dev = 1.0 / std::sqrt(rest.energy());
    if (scale > 1.0 / kTrusted && scale < kTrusted) return 1.0;
    if (std::abs(scale - 1.0) < kDeviations * std_dev) return 1.0;
  }
  return std::clamp(scale, kScaleMin, kScaleMax);
}

}  // namespace dynid
