#include "dynid/equations/row_piece.h"

#include <utility>

namespace dynid {
namespace {

// Compresses the rows of these samples to a factor, or keeps them if there are few. Consecutive
// samples are compressed without a copy.
void compressOrKeep(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                    const std::vector<Eigen::Index>& samples,
                    TriangularFactor& factor,
                    Eigen::MatrixXd& kept) {
  if (samples.empty()) return;
  const auto count = static_cast<Eigen::Index>(samples.size());
  const bool neighbours = samples.back() - samples.front() + 1 == count;
  const bool many = count > kRowsPerColumn * rows.cols();
  if (many) factor = TriangularFactor(rows.cols());
  if (many && neighbours) {
    factor.add(rows.middleRows(samples.front(), count));
  } else if (many) {
    factor.add(rows(samples, Eigen::all));
  } else {
    kept = rows(samples, Eigen::all);
  }
}

void add(TriangularFactor factor,
         const Eigen::MatrixXd& kept,
         size_t block,
         std::vector<TriangularFactor>& sums) {
  if (factor.rows() > 0.0) sums[block].merge(std::move(factor));
  if (kept.rows() > 0) sums[block].add(kept);
}

}  // namespace

void RowPiece::set(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                   const std::vector<Eigen::Index>& moving_samples,
                   const std::vector<Eigen::Index>& standstill_samples) {
  compressOrKeep(rows, moving_samples, moving, moving_rows);
  compressOrKeep(rows, standstill_samples, standstill, standstill_rows);
}

void RowPiece::moveTo(ChannelStatistics& channel) {
  const auto b = static_cast<size_t>(block);
  add(std::move(moving), moving_rows, b, channel.moving);
  add(std::move(standstill), standstill_rows, b, channel.standstill);
  moving_rows.resize(0, 0);
  standstill_rows.resize(0, 0);
}

}  // namespace dynid
