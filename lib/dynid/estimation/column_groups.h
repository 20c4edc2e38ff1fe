#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <utility>
#include <vector>

namespace dynid {

/// Columns of a fit, and the channels whose equations contain them. Limbs that branch off a fixed
/// base have no parameter in common: the least-squares problem separates into one per group.
struct ColumnGroup {
  std::vector<Eigen::Index> columns;   ///< positions in the fit, ascending
  std::vector<Eigen::Index> channels;  ///< ascending
};

/// The finest division into groups without a common column, in the order of their first columns.
/// Channels without any column are in the first group. At least one group.
/// @param shared   per channel, as sharedColumns
/// @param columns  number of columns of the fit
std::vector<ColumnGroup> independentGroups(
    const std::vector<std::vector<std::pair<int, int>>>& shared, Eigen::Index columns);

}  // namespace dynid
