#include "dynid/identification/verdicts.h"

#include <cmath>

namespace dynid {
namespace {

// An interval wider than the value itself: the log hardly says anything.
constexpr double kBadlyExcited = 1.0;

}  // namespace

Excitation excitationOf(double value, double std_dev) {
  if (!std::isfinite(std_dev)) return Excitation::kNone;
  return std_dev < kBadlyExcited * std::abs(value) ? Excitation::kWell : Excitation::kBadly;
}

std::vector<ParameterVerdict> parameterVerdicts(const BaseParameters& base,
                                                const ParameterLayout& layout,
                                                const std::vector<Excitation>& of_base) {
  std::vector<ParameterVerdict> verdicts(static_cast<size_t>(layout.size()));
  const auto seen = [&](int column, size_t i, bool alone) {
    verdicts[column] = {alone ? Identifiability::kAlone : Identifiability::kCombination,
                        of_base[i],
                        layout[base.independent[i]].name};
  };
  for (size_t i = 0; i < base.independent.size(); ++i)
    seen(base.independent[i],
         i,
         base.K.cols() == 0 ||
             base.K.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff() < 1e-9);
  for (size_t d = 0; d < base.dependent.size(); ++d) {
    Eigen::Index strongest = 0;
    base.K.col(static_cast<Eigen::Index>(d)).cwiseAbs().maxCoeff(&strongest);
    seen(base.dependent[d], static_cast<size_t>(strongest), false);
  }
  return verdicts;
}

}  // namespace dynid
