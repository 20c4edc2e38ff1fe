#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {

double nthSmallest(std::vector<double> values, std::size_t rank) {
  if (rank >= values.size())
    throw std::invalid_argument("rank " + std::to_string(rank) + " of " +
                                std::to_string(values.size()) + " values; expected a smaller one");
  const auto place = std::next(values.begin(), static_cast<std::ptrdiff_t>(rank));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (!(share >= 0.0 && share <= 1.0))
    throw std::invalid_argument("share " + std::to_string(share) + "; expected one in [0, 1]");
  const double rank = std::floor(share * static_cast<double>(values.size() - 1));
  return nthSmallest(std::move(values), static_cast<std::size_t>(rank));
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t middle = values.size() / 2;
  return nthSmallest(std::move(values), middle);
}

}  // namespace dynid
