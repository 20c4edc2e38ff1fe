#pragma once

#include <cstddef>
#include <vector>

namespace dynid {

/// The value that `rank` of the values stand before in ascending order (rank 0: the smallest).
/// @throws std::invalid_argument unless rank < values.size()
double nthSmallest(std::vector<double> values, std::size_t rank);

/// The value of rank floor(share (n - 1)) in ascending order.
/// @param share  in [0, 1]
/// @returns NaN for no values
double quantile(std::vector<double> values, double share);

/// The middle value in ascending order, the upper one of two.
/// @returns NaN for no values
double median(std::vector<double> values);

}  // namespace dynid
