#include "dynid/identification/verdicts.h"

#include <cmath>

namespace dynid {
namespace {

// The interval is wider than the value.
constexpr double kBadlyExcited = 1.0;
// Fraction of the joint's effort below which a parameter is irrelevant.
constexpr double kSmallEffort = 0.02;
constexpr double kGravity = 9.81;  // [m/s^2]

}  // namespace

Excitation excitationOf(double value, double std_dev) {
  if (!std::isfinite(std_dev)) return Excitation::kNone;
  return std_dev < kBadlyExcited * std::abs(value) ? Excitation::kWell : Excitation::kBadly;
}

Excitation excitationOf(double value, double std_dev, const std::string& unit, double effort_rms) {
  const Excitation relative = excitationOf(value, std_dev);
  if (relative != Excitation::kBadly) return relative;
  const double factor = unit == "kg" || unit == "kg m" ? kGravity : 1.0;
  return factor * std_dev <= kSmallEffort * effort_rms ? Excitation::kWell : relative;
}

std::vector<ParameterVerdict> parameterVerdicts(const BaseParameters& base,
                                                const ParameterLayout& layout,
                                                const std::vector<Excitation>& of_base) {
  std::vector<ParameterVerdict> verdicts(layout.size());
  const auto seen = [&](int column, size_t i, bool alone) {
    verdicts[column] = {alone ? Identifiability::kAlone : Identifiability::kCombination,
                        of_base[i],
                        layout[base.independent[i]].name};
  };
  for (size_t i = 0; i < base.independent.size(); ++i)
    seen(base.independent[i], i, base.K.cols() == 0 || base.K.row(i).cwiseAbs().maxCoeff() < 1e-9);
  for (size_t d = 0; d < base.dependent.size(); ++d) {
    Eigen::Index strongest = 0;
    base.K.col(d).cwiseAbs().maxCoeff(&strongest);
    seen(base.dependent[d], static_cast<size_t>(strongest), false);
  }
  return verdicts;
}

}  // namespace dynid
