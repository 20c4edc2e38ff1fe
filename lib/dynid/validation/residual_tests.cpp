#include "dynid/validation/residual_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {

using Eigen::Index;

void ResidualTest::add(const Eigen::Ref<const Eigen::VectorXd>& values) {
  constexpr Index kPiece = 1024;  // rows that fit the cache
  for (Index first = 0; first < values.size(); first += kPiece) {
    const Index added = std::min(kPiece, values.size() - first);
    if (count_ == 0.0)
      shift_ = values(0);  // reduces rounding errors in sums of products if the residual has a bias
    if (recent_.size() < recent_count_ + added)
      recent_.conservativeResize(static_cast<Index>(kLags) + added);
    recent_.segment(recent_count_, added) = values.segment(first, added).array() - shift_;
    addToLags(added);
    addToLevels(recent_.segment(recent_count_, added));
    count_ += static_cast<double>(added);
    const Index known = recent_count_ + added;
    recent_count_ = std::min(static_cast<Index>(kLags), known);
    recent_.head(recent_count_) = recent_.segment(known - recent_count_, recent_count_).eval();
  }
}

// Adds, for each lag k + 1, the pairs whose later sample is among the `added` ones.
void ResidualTest::addToLags(Index added) {
  const Index known = recent_count_ + added;
  double earlier = 0.0, later = 0.0;  // sums over the pairs of this lag
  for (size_t k = 0; k < kLags; ++k) {
    const auto lag = static_cast<Index>(k + 1);
    const Index first = std::max(recent_count_, lag), pairs = known - first;
    if (pairs <= 0) return;
    if (k == 0) {
      earlier = recent_.segment(first - lag, pairs).sum();
      later = recent_.segment(first, pairs).sum();
    } else {  // the pairs end one sample earlier; they begin at the same sample or one later
      earlier -= recent_(known - lag);
      if (first == recent_count_) {
        earlier += recent_(first - lag);
      } else {
        later -= recent_(first - 1);
      }
    }
    products_[k] += recent_.segment(first - lag, pairs).dot(recent_.segment(first, pairs));
    earlier_[k] += earlier;
    later_[k] += later;
    pairs_[k] += static_cast<double>(pairs);
  }
}

void ResidualTest::breakHere() { recent_count_ = 0; }

void ResidualTest::addToLevels(Eigen::VectorXd values) {
  for (size_t l = 0; values.size() > 0; ++l) {
    if (l == levels_.size()) levels_.emplace_back();
    Level& level = levels_[l];
    level.moments.add(values);
    // Means of neighbouring values go to the next level; a value without partner waits for the
    // next.
    const Index alone = level.has_pending ? 1 : 0;
    const Index pairs = (values.size() + alone) / 2;
    const double last = values(values.size() - 1);
    for (Index i = 0; i < pairs; ++i) {
      const Index second = 2 * i + 1 - alone;
      const double before = second == 0 ? level.pending : values(second - 1);
      values(i) = 0.5 * (before + values(second));
    }
    level.has_pending = (values.size() + alone) % 2 != 0;
    if (level.has_pending) level.pending = last;
    values.conservativeResize(pairs);
  }
}

double ResidualTest::mean() const {
  return levels_.empty() ? std::numeric_limits<double>::quiet_NaN()
                         : levels_[0].moments.mean + shift_;
}

double ResidualTest::variance() const {
  return levels_.empty() ? std::numeric_limits<double>::quiet_NaN()
                         : levels_[0].moments.squares / levels_[0].moments.count;
}

double ResidualTest::whiteness() const {
  const double n = count_;
  if (n < 4.0 * kLags || !(variance() > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double m = levels_[0].moments.mean, c0 = levels_[0].moments.squares;
  double Q = 0.0;
  for (size_t k = 0; k < kLags; ++k) {
    const double r = (products_[k] - m * (earlier_[k] + later_[k]) + pairs_[k] * m * m) / c0;
    Q += r * r / (n - static_cast<double>(k + 1));
  }
  return n * (n + 2.0) * Q / kLags;
}

double ResidualTest::inefficiency() const {
  constexpr double kFewestBlocks = 8.0;
  double g = std::numeric_limits<double>::quiet_NaN();
  if (!(variance() > 0.0)) return g;
  const double first = levels_[0].moments.squares / std::max(1.0, levels_[0].moments.count - 1.0);
  double length = 1.0;
  for (const Level& level : levels_) {
    if (level.moments.count < kFewestBlocks) break;
    g = length * level.moments.squares / (level.moments.count - 1.0) / first;
    // Longer blocks would only add noise
    if (length * length * length > 2.0 * count_ * g * g) break;
    length *= 2.0;
  }
  return g;
}

}  // namespace dynid
