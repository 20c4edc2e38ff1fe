#pragma once

#include <cstddef>
#include <vector>

namespace dynid {

/// The element of index `rank` of the values in ascending order (rank 0: the smallest).
/// @throws std::invalid_argument unless rank < values.size()
double nthSmallest(std::vector<double> values, std::size_t rank);

/// The element of index floor(share (n - 1)) of the n values in ascending order.
/// @param share  in [0, 1]
/// @returns NaN if there are no values
double quantile(std::vector<double> values, double share);

/// The median; of an even number of values the upper one of the two in the middle.
/// @returns NaN if there are no values
double median(std::vector<double> values);

}  // namespace dynid
