#pragma once

#include "dynid/kernels/scratch.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Regressor rows of all channels at the same samples, with one additional column per channel for
/// the effort. Columns begin at cache lines, so that stores never cross one, and their distance is
/// an odd number of cache lines, so that they do not share cache sets.
class RowBlock {
 public:
  /// A matrix in the memory of this object, valid until the next resize.
  using View = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  RowBlock() = default;
  RowBlock(const RowBlock&) = delete;
  RowBlock& operator=(const RowBlock&) = delete;
  RowBlock(RowBlock&&) = default;
  RowBlock& operator=(RowBlock&&) = default;
  ~RowBlock() = default;

  /// @param columns  number of columns per channel; the contents are lost
  void resize(Eigen::Index samples, const std::vector<Eigen::Index>& columns) {
    constexpr Eigen::Index kLine = 8;  // doubles per cache line
    const Eigen::Index stride = (((samples + kLine - 1) / kLine) | 1) * kLine;
    Eigen::Index total = 0;
    for (Eigen::Index p : columns) total += p + 1;
    double* data = memory_.atLeast(stride * total);
    with_effort_.clear();
    for (Eigen::Index p : columns) {
      with_effort_.emplace_back(data, samples, p + 1, Eigen::OuterStride<>(stride));
      data += stride * (p + 1);
    }
  }

  size_t numChannels() const { return with_effort_.size(); }
  Eigen::Index samples() const { return with_effort_.empty() ? 0 : with_effort_.front().rows(); }
  /// Rows of a channel including the effort, which is the last column.
  View& withEffort(size_t channel) { return with_effort_[channel]; }
  View operator[](size_t channel) const {
    const View& all = with_effort_[channel];
    return {const_cast<double*>(all.data()),  // NOLINT: a view of memory that this class owns
            all.rows(),
            all.cols() - 1,
            Eigen::OuterStride<>(all.outerStride())};
  }

  /// Copies of the rows without the efforts. `assign` replaces the rows by others at the same
  /// samples, possibly of other channels.
  std::vector<Eigen::MatrixXd> copy() const {
    std::vector<Eigen::MatrixXd> rows;
    for (size_t a = 0; a < numChannels(); ++a) rows.emplace_back((*this)[a]);
    return rows;
  }
  void assign(const std::vector<Eigen::MatrixXd>& rows) {
    std::vector<Eigen::Index> columns;
    for (const Eigen::MatrixXd& of_channel : rows) columns.push_back(of_channel.cols());
    resize(rows.empty() ? 0 : rows.front().rows(), columns);
    for (size_t a = 0; a < rows.size(); ++a) (*this)[a] = rows[a];
  }

 private:
  Scratch memory_;
  std::vector<View> with_effort_;
};

}  // namespace dynid
