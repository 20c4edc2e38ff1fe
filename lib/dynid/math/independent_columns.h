#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Disjoint sets of columns that grow together ("union-find", Galler and Fischer 1964).
class ColumnSets {
 public:
  explicit ColumnSets(Eigen::Index columns);
  void unite(Eigen::Index a, Eigen::Index b);
  /// The sets in the order of their first columns, the columns of each ascending.
  std::vector<std::vector<Eigen::Index>> sets() const;

 private:
  Eigen::Index first(Eigen::Index column) const;
  std::vector<Eigen::Index> parent_;
};

/// The finest division of the columns of a matrix such that no row has entries other than zero in
/// two sets. Problems in these rows fall apart into one per set. A column of zeros is a set of its
/// own.
std::vector<std::vector<Eigen::Index>> independentColumns(
    const Eigen::Ref<const Eigen::MatrixXd>& rows);

/// The rows that have an entry other than zero in one of the columns.
std::vector<Eigen::Index> rowsWithEntries(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                          const std::vector<Eigen::Index>& columns);

}  // namespace dynid
