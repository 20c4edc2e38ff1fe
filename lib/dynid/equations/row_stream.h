#pragma once

#include "dynid/equations/row_piece.h"
#include "dynid/regression/gram_factor.h"

#include <algorithm>
#include <functional>
#include <optional>
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

  /// @param threads  for the channels of a batch; `rests` is then called by several threads. The
  ///     result does not depend on it.
  explicit RowStream(int threads = 1) : workspaces_(std::max(threads, 1)) {}

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
  /// Working memory of one thread.
  struct Workspace {
    Scratch scratch;
    std::vector<size_t> standstill;  ///< positions in the batch computed last
  };
  /// Rows at standstill that are collected until there are enough for a factor.
  struct Waiting {
    Eigen::MatrixXd rows;
    Eigen::Index count = 0;
  };
  using OfChannel = std::function<void(size_t, Workspace&)>;
  /// Receives a channel's rows of a batch. @param rows  number of rows that are not zero
  using Add = std::function<void(size_t channel, double rows, Scratch&)>;

  /// Calls work(0), ..., work(count - 1); every thread has the calls of equal remainder.
  void forChannels(size_t count, const OfChannel& work);
  void begin(const std::vector<Eigen::Index>& samples, const Build& build, const Rests& rests);
  /// Moves the rows at standstill from a batch to `piece`; they become zero in the batch.
  /// @returns the number of rows left
  double separate(const Rests& rests,
                  size_t channel,
                  std::vector<size_t>& standstill,
                  RowPiece* piece);
  /// Copies those rows to the collected ones.
  static void wait(const RowBlock::View& rows,
                   const std::vector<size_t>& standstill,
                   Waiting& waiting,
                   RowPiece& piece);
  static void flush(Waiting& waiting, RowPiece& piece);
  void addAgain(const std::vector<Eigen::Index>& samples,
                const Build& build,
                const Rests& rests,
                const std::vector<size_t>& channels,
                const Add& add);

  std::vector<Workspace> workspaces_;  // per thread
  RowBlock rows_;
  std::vector<std::optional<BatchedGram>> grams_;
  std::vector<Waiting> waiting_;
};

}  // namespace dynid
