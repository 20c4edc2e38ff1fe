#pragma once

#include "dynid/equations/row_piece.h"
#include "dynid/regression/gram_factor.h"

#include <functional>
#include <vector>

namespace dynid {

/// Compresses the rows of many samples without keeping them: batch by batch while they are in the
/// cache, into Gram matrices preconditioned by the rows of some samples (BatchedGram). Where those
/// do not stand for the others, the batches are made once more, preconditioned by the first result;
/// where that is not enough, for Householder.
class RowStream {
 public:
  /// Fills `rows` with what belongs to the samples, efforts too.
  using Build = std::function<void(const std::vector<Eigen::Index>& samples, RowBlock& rows)>;
  /// The places in the batch built last of the samples at which a channel is at rest, ascending.
  using Rests = std::function<void(size_t channel, std::vector<size_t>& places)>;

  /// @param samples  in their order, many for each column
  /// @param pieces   one per channel, empty before the call
  void compress(const std::vector<Eigen::Index>& samples,
                const Build& build,
                const Rests& rests,
                const std::vector<RowPiece*>& pieces);
  /// So many samples are worth it.
  static bool worth(size_t samples, Eigen::Index widest) {
    return static_cast<Eigen::Index>(samples) >= 16 * (widest + 1);
  }

 private:
  /// Still rows that wait until they are many enough for a factor.
  struct Waiting {
    Eigen::MatrixXd rows;
    Eigen::Index count = 0;
  };
  /// Takes a channel's rows of a batch, of which so many count.
  using Add = std::function<void(size_t channel, double rows)>;
  void begin(const std::vector<Eigen::Index>& samples, const Build& build, const Rests& rests);
  /// Takes the rows of still samples out of a batch (they become zero). @returns what is left
  double separate(const Rests& rests, size_t channel, RowPiece* still);
  /// Copies those rows to the ones that wait.
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
  std::vector<size_t> still_;  // places in the batch built last
  Scratch scratch_;
};

}  // namespace dynid
