#include "dynid/diagnosis/cheapest_assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {

using Eigen::Index;

std::vector<int> cheapestAssignment(const Eigen::MatrixXd& cost) {
  // The potentials stay finite only where the costs are.
  constexpr double kForbidden = 1e12;
  const Eigen::MatrixXd bounded = cost.unaryExpr([=](double c) {
    return std::isfinite(c) ? std::clamp(c, -kForbidden, kForbidden) : kForbidden;
  });
  const auto n = static_cast<int>(cost.rows());
  std::vector<double> u(static_cast<size_t>(n) + 1, 0.0), v(u);
  std::vector<int> row_of(static_cast<size_t>(n) + 1, 0), way(row_of);
  for (int row = 1; row <= n; ++row) {
    row_of[0] = row;
    size_t column = 0;
    std::vector<double> least(u.size(), std::numeric_limits<double>::infinity());
    std::vector<bool> used(u.size(), false);
    do {
      used[column] = true;
      const auto i = static_cast<size_t>(row_of[column]);
      double delta = std::numeric_limits<double>::infinity();
      size_t next = 0;
      for (size_t j = 1; j <= static_cast<size_t>(n); ++j) {
        if (used[j]) continue;
        const double slack =
            bounded(static_cast<Index>(i) - 1, static_cast<Index>(j) - 1) - u[i] - v[j];
        if (slack < least[j]) {
          least[j] = slack;
          way[j] = static_cast<int>(column);
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (size_t j = 0; j <= static_cast<size_t>(n); ++j) {
        if (used[j]) {
          u[row_of[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    while (column != 0) {
      const auto before = static_cast<size_t>(way[column]);
      row_of[column] = row_of[before];
      column = before;
    }
  }
  std::vector<int> source(n);
  for (size_t j = 1; j <= static_cast<size_t>(n); ++j)
    source[static_cast<size_t>(row_of[j]) - 1] = static_cast<int>(j) - 1;
  return source;
}

}  // namespace dynid
