#pragma once

#include "dynid/equations/row_piece.h"
#include "dynid/regression/gram_factor.h"

#include <functional>
#include <vector>

namespace dynid {

/// Compresses the rows of many samples without storing them. They are computed in batches that fit
/// the cache and added to Gram matrices, which are preconditioned by the rows of a subsample
/// (BatchedGram). If the subsample is not representative, the batches are computed again with the
/// first result as preconditioner; if that is not sufficient either, by Householder reflections.
class RowStream {
 public:
  /// Computes the rows, including efforts, of the given samples.
  using Build = std::function<void(const std::vector<Eigen::Index>& samples, RowBlock& rows)>;
  /// Lists the positions, in the batch computed last, of the samples at which a channel is at
  /// standstill, ascending.
  using Rests = std::function<void(size_t channel, std::vector<size_t>& places)>;

  /// @param samples  in their order, many per column
  /// @param pieces   result, one per channel; empty before the call
  void compress(const std::vector<Eigen::Index>& samples,
                const Build& build,
                const Rests& rests,
                const std::vector<RowPiece*>& pieces);
  /// Whether there are enough samples for this method.
  static bool worth(size_t samples, Eigen::Index widest) {
    return static_cast<Eigen::Index>(samples) >= 16 * (widest + 1);
  }

 private:
  /// Rows at standstill that are collected until there are enough for a factor.
  struct Waiting {
    Eigen::MatrixXd rows;
    Eigen::Index count = 0;
  };
  /// Receives a channel's rows of a batch. @param rows  number of rows that are not zero
  using Add = std::function<void(size_t channel, double rows)>;
  void begin(const std::vector<Eigen::Index>& samples, const Build& build, const Rests& rests);
  /// Moves the rows at standstill from a batch to `still`; they become zero in the batch.
  /// @returns the number of rows left
  double separate(const Rests& rests, size_t channel, RowPiece* standstill);
  /// Copies those rows to the collected ones.
  void wait(const RowBlock::View& rows, Waiting& waiting, RowPiece& piece);
  void flush(Waiting& waiting, RowPiece& piece);
  void addAgain(const std::vector<Eigen::Index>& samples,
                const Build& build,
                const Rests& rests,
                const std::vector<size_t>& channels,
                const Add& add);

  RowBlock rows_;
  std::vector<BatchedGram> grams_;
  std::vector<Waiting> waiting_;
  std::vector<size_t> standstill_;  // positions in the batch computed last
  Scratch scratch_;
};

}  // namespace dynid
