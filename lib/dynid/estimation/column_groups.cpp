#include "dynid/estimation/column_groups.h"

#include "dynid/math/independent_columns.h"

namespace dynid {

using Eigen::Index;

std::vector<ColumnGroup> independentGroups(
    const std::vector<std::vector<std::pair<int, int>>>& shared, Index columns) {
  ColumnSets sets(columns);
  for (const auto& channel : shared)
    for (const auto& [to, from] : channel) sets.unite(channel.front().first, to);
  std::vector<ColumnGroup> groups;
  std::vector<Index> group_of_column(columns);
  for (std::vector<Index>& set : sets.sets()) {
    for (const Index column : set) group_of_column[column] = std::ssize(groups);
    groups.push_back({std::move(set), {}});
  }
  if (groups.empty()) groups.emplace_back();
  for (Index a = 0; a < std::ssize(shared); ++a)
    groups[shared[a].empty() ? 0 : group_of_column[shared[a].front().first]].channels.push_back(a);
  return groups;
}

}  // namespace dynid
