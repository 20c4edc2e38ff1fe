#include "dynid/diagnosis/log_gaps.h"

#include <algorithm>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;

constexpr size_t kMostGaps = 3;
constexpr double kFirstAngle = 0.15;  // [rad]
constexpr double kFirstShare = 0.1;   // of the range of a prismatic joint

}  // namespace

std::vector<LogGap> longestGaps(const LogExcerpt& excerpt) {
  std::vector<LogGap> gaps;
  const Index fewest = excerpt.rows() / 10;
  for (Index r = std::max<Index>(fewest, 1); r < excerpt.rows() - fewest; ++r) {
    const auto before = static_cast<size_t>(excerpt.stretch_of_row[static_cast<size_t>(r) - 1]);
    const auto after = static_cast<size_t>(excerpt.stretch_of_row[r]);
    if (before != after)
      gaps.push_back({r, excerpt.stretches[before].end_s, excerpt.stretches[after].begin_s});
  }
  const auto length = [](const LogGap& gap) { return gap.end_s - gap.begin_s; };
  std::stable_sort(gaps.begin(), gaps.end(), [&](const LogGap& a, const LogGap& b) {
    return length(a) > length(b);
  });
  gaps.resize(std::min(gaps.size(), kMostGaps));
  std::sort(
      gaps.begin(), gaps.end(), [](const LogGap& a, const LogGap& b) { return a.row < b.row; });
  return gaps;
}

std::vector<double> firstSteps(const Eigen::VectorXd& positions, bool prismatic) {
  if (prismatic) {
    const double step = kFirstShare * (positions.maxCoeff() - positions.minCoeff());
    return {step, -step};
  }
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  return {kFirstAngle, -kFirstAngle, kQuarter, -kQuarter, std::numbers::pi};
}

}  // namespace dynid
