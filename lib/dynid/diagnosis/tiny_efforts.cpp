#include "dynid/diagnosis/tiny_efforts.h"

#include "dynid/math/quantile.h"

#include <fmt/format.h>

namespace dynid {
namespace {

using Eigen::Index;

// The larger of the two ratios is at least 0.0044 in 57 untouched logs of nine real robots, and
// 0.03 on right logs of simulated ones (experiments/mistakes).
constexpr double kTinyBesideOthers = 1e-3, kTinyBesideRods = 1e-3;

/// Whether the joint moves.
bool isFitted(const HypothesisScore& fit, Index c) { return fit.unexplained(c) > 0.0; }

}  // namespace

std::vector<Finding> tinyEfforts(const HypothesisScore& fit,
                                 const std::vector<std::string>& names) {
  std::vector<Finding> findings;
  for (Index c = 0; c < fit.rigid_ratio.size(); ++c) {
    std::vector<double> others;
    for (Index k = 0; k < fit.rigid_ratio.size(); ++k)
      if (k != c && isFitted(fit, k)) others.push_back(fit.rigid_ratio(k));
    if (others.empty() || !isFitted(fit, c)) continue;
    const double beside_others = fit.rigid_ratio(c) / quantile(others, 0.5);
    if (!(beside_others < kTinyBesideOthers) || !(fit.rigid_ratio(c) < kTinyBesideRods)) continue;
    findings.push_back(
        {Finding::Severity::kRefuse,
         "diagnosis-effort-tiny",
         static_cast<int>(c),
         fmt::format(
             "the effort of {} is about {:.2g} times those of the other joints, all compared "
             "with what uniform rods of the size of this robot would need: it is in another "
             "unit, or not measured",
             names[c],
             beside_others),
         beside_others,
         fmt::format(
             "check the column and the unit of this effort: set scale or gear_ratio for {0} "
             "under [effort] in the import mapping; if it is not measured, hold the joint "
             "fixed and leave it out with `exclude_joints` {0}",
             names[c])});
  }
  return findings;
}

}  // namespace dynid
