#include "dynid/estimation/column_groups.h"

#include <algorithm>
#include <numeric>

namespace dynid {
namespace {

using Eigen::Index;

/// Disjoint sets of columns; each is named by its first column.
class ColumnSets {
 public:
  explicit ColumnSets(Index columns) : parent_(columns) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index first(Index column) const {
    while (parent_[column] != column) column = parent_[column];
    return column;
  }
  void unite(Index a, Index b) {
    const Index first_a = first(a), first_b = first(b);
    parent_[std::max(first_a, first_b)] = std::min(first_a, first_b);
  }

 private:
  std::vector<Index> parent_;
};

}  // namespace

std::vector<ColumnGroup> independentGroups(
    const std::vector<std::vector<std::pair<int, int>>>& shared, Index columns) {
  ColumnSets sets(columns);
  for (const auto& channel : shared)
    for (const auto& [to, from] : channel) sets.unite(channel.front().first, to);
  std::vector<ColumnGroup> groups;
  std::vector<Index> group_of_column;
  for (Index c = 0; c < columns; ++c) {
    const Index first = sets.first(c);
    group_of_column.push_back(first == c ? std::ssize(groups) : group_of_column[first]);
    if (first == c) groups.emplace_back();
    groups[group_of_column[c]].columns.push_back(c);
  }
  if (groups.empty()) groups.emplace_back();
  for (Index a = 0; a < std::ssize(shared); ++a)
    groups[shared[a].empty() ? 0 : group_of_column[shared[a].front().first]].channels.push_back(a);
  return groups;
}

}  // namespace dynid
