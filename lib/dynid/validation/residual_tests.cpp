#include "dynid/validation/residual_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {

void ResidualTest::add(double value) {
  if (count_ == 0.0)
    shift_ = value;  // keeps the sums of products small where the residual is biased
  const double x = value - shift_;
  for (size_t k = 0; k < recent_count_; ++k) {
    const double before = recent_[newest_ + k];
    products_[k] += before * x;
    earlier_[k] += before;
    later_[k] += x;
    pairs_[k] += 1.0;
  }
  if (newest_ == 0) {
    newest_ = recent_.size() - kLags;
    std::copy_n(recent_.begin(), kLags, recent_.begin() + static_cast<std::ptrdiff_t>(newest_));
  }
  recent_[--newest_] = x;
  recent_count_ = std::min(recent_count_ + 1, kLags);
  count_ += 1.0;
  addToLevels(x);
}

void ResidualTest::breakHere() { recent_count_ = 0; }

void ResidualTest::addToLevels(double value) {
  for (size_t l = 0;; ++l) {
    if (l == levels_.size()) levels_.emplace_back();
    Level& level = levels_[l];
    level.count += 1.0;
    const double delta = value - level.mean;
    level.mean += delta / level.count;
    level.squares += delta * (value - level.mean);
    level.has_pending = !level.has_pending;
    if (level.has_pending) {
      level.pending = value;
      return;
    }
    value = 0.5 * (level.pending + value);
  }
}

double ResidualTest::mean() const {
  return levels_.empty() ? std::numeric_limits<double>::quiet_NaN() : levels_[0].mean + shift_;
}

double ResidualTest::variance() const {
  return levels_.empty() ? std::numeric_limits<double>::quiet_NaN()
                         : levels_[0].squares / levels_[0].count;
}

double ResidualTest::whiteness() const {
  const double n = count_;
  if (n < 4.0 * kLags || !(variance() > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  const double m = levels_[0].mean, c0 = levels_[0].squares;
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
  const double first = levels_[0].squares / std::max(1.0, levels_[0].count - 1.0);
  double length = 1.0;
  for (const Level& level : levels_) {
    if (level.count < kFewestBlocks) break;
    g = length * level.squares / (level.count - 1.0) / first;
    if (length * length * length > 2.0 * count_ * g * g) break;  // longer blocks only add noise
    length *= 2.0;
  }
  return g;
}

}  // namespace dynid
