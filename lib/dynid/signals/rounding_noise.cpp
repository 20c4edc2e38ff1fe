#include "dynid/signals/rounding_noise.h"

#include "dynid/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dynid {
namespace {

constexpr double kSameStep = 0.02;      // relative difference of equal steps
constexpr std::ptrdiff_t kOccurs = 5;   // times that the smallest step occurs
constexpr double kFewSteps = 20.0;      // differences of more steps are not compared
constexpr double kOffGrid = 0.1;        // distance from a multiple, in steps
constexpr double kMultiples = 0.98;     // share of the differences that are multiples
constexpr std::ptrdiff_t kEnough = 50;  // differences that are compared
constexpr Eigen::Index kBlock = 64;     // rows: a joint rests in a block without any difference

struct Differences {
  std::vector<double> sorted;  // without zeros
  double moving = 0.0;         // share of the rows in blocks with a difference
};

Differences differences(std::span<const RawSignals> excerpts, Eigen::Index joint) {
  Differences result;
  double moving = 0.0, all = 0.0;
  for (const RawSignals& excerpt : excerpts) {
    for (Eigen::Index first = 0; first + 1 < excerpt.position.rows(); first += kBlock) {
      const Eigen::Index end = std::min(first + kBlock, excerpt.position.rows() - 1);
      const auto before = std::ssize(result.sorted);
      for (Eigen::Index i = first; i < end; ++i) {
        const double step = std::abs(excerpt.position(i + 1, joint) - excerpt.position(i, joint));
        if (std::isfinite(step) && step > 0.0) result.sorted.push_back(step);
      }
      const auto rows = static_cast<double>(end - first);
      all += rows;
      if (std::ssize(result.sorted) > before) moving += rows;
    }
  }
  std::sort(result.sorted.begin(), result.sorted.end());
  result.moving = all > 0.0 ? moving / all : 0.0;
  return result;
}

double stepOf(const std::vector<double>& sorted) {
  const std::ptrdiff_t count = std::ssize(sorted);
  std::ptrdiff_t first = 0;
  while (first + kOccurs < count && sorted[first + kOccurs] > (1.0 + kSameStep) * sorted[first])
    ++first;
  if (first + kOccurs >= count) return 0.0;
  const double step = sorted[first + kOccurs / 2];
  std::ptrdiff_t compared = 0, multiples = 0;
  for (; compared < count && sorted[compared] < kFewSteps * step; ++compared) {
    const double steps = sorted[compared] / step;
    if (std::abs(steps - std::round(steps)) <= kOffGrid) ++multiples;
  }
  const bool rounded = compared >= kEnough &&
                       static_cast<double>(multiples) >= kMultiples * static_cast<double>(compared);
  return rounded ? step : 0.0;
}

}  // namespace

Eigen::VectorXd roundingNoise(std::span<const RawSignals> excerpts, int threads) {
  const Eigen::Index joints = excerpts.empty() ? 0 : excerpts.front().joints();
  Eigen::VectorXd noise(joints);
  parallelFor(static_cast<int>(joints), threads, [&](int j) {
    const Differences found = differences(excerpts, j);
    noise(j) = stepOf(found.sorted) * std::sqrt(found.moving / 12.0);
  });
  return noise;
}

}  // namespace dynid
