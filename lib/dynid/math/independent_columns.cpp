#include "dynid/math/independent_columns.h"

#include <algorithm>
#include <numeric>

namespace dynid {

using Eigen::Index;

ColumnSets::ColumnSets(Index columns) : parent_(columns) {
  std::iota(parent_.begin(), parent_.end(), Index{0});
}

Index ColumnSets::first(Index column) const {
  while (parent_[column] != column) column = parent_[column];
  return column;
}

void ColumnSets::unite(Index a, Index b) {
  const Index first_a = first(a), first_b = first(b);
  parent_[std::max(first_a, first_b)] = std::min(first_a, first_b);
}

std::vector<std::vector<Index>> ColumnSets::sets() const {
  std::vector<std::vector<Index>> sets;
  std::vector<Index> set_of_column;
  for (Index c = 0; c < std::ssize(parent_); ++c) {
    const Index representative = first(c);
    set_of_column.push_back(representative == c ? std::ssize(sets) : set_of_column[representative]);
    if (representative == c) sets.emplace_back();
    sets[set_of_column[c]].push_back(c);
  }
  return sets;
}

std::vector<std::vector<Index>> independentColumns(const Eigen::Ref<const Eigen::MatrixXd>& rows) {
  ColumnSets sets(rows.cols());
  std::vector<Index> column_of_row(rows.rows(), -1);  // the last column with an entry
  for (Index c = 0; c < rows.cols(); ++c)
    for (Index row = 0; row < rows.rows(); ++row) {
      if (rows(row, c) == 0.0) continue;
      if (column_of_row[row] >= 0) sets.unite(column_of_row[row], c);
      column_of_row[row] = c;
    }
  return sets.sets();
}

std::vector<Index> rowsWithEntries(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                   const std::vector<Index>& columns) {
  std::vector<Index> rows;
  for (Index row = 0; row < matrix.rows(); ++row)
    if (!matrix.row(row)(columns).isZero(0.0)) rows.push_back(row);
  return rows;
}

}  // namespace dynid
