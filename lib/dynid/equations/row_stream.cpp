#include "dynid/equations/row_stream.h"

#include "dynid/core/parallel.h"
#include "dynid/equations/batches.h"
#include "dynid/equations/rows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace dynid {
namespace {

// Number of rows at standstill that are collected before they are compressed. A factor costs as
// much as some rows per column; beyond that, more rows only need memory. The limits are 2 MB per
// channel, at least 2 and at most 32 rows per column.
Eigen::Index rowsWaiting(Eigen::Index columns) {
  return std::clamp(Eigen::Index{1 << 18} / columns, 2 * columns, 32 * columns);
}

}  // namespace

void RowStream::forChannels(size_t count, const OfChannel& work) {
  const auto threads = std::min(workspaces_.size(), count);
  parallelFor(static_cast<int>(threads), static_cast<int>(threads), [&](int t) {
    const auto first = static_cast<size_t>(t);
    for (size_t i = first; i < count; i += threads) work(i, workspaces_[first]);
  });
}

void RowStream::begin(const std::vector<Eigen::Index>& samples,
                      const Build& build,
                      const Rests& rests) {
  // A batch of samples spread over all samples; larger if there are many columns.
  std::vector<Eigen::Index> some;
  size_t wanted = static_cast<size_t>(ProjectionRegressor::kBatch);
  const auto choose = [&] {
    some.clear();
    const size_t stride = std::max<size_t>(1, samples.size() / wanted);
    for (size_t i = 0; i < samples.size(); i += stride) some.push_back(samples[i]);
    build(some, rows_);
  };
  choose();
  Eigen::Index widest = 0;
  for (size_t a = 0; a < rows_.numChannels(); ++a)
    widest = std::max(widest, rows_.withEffort(a).cols());
  if (static_cast<size_t>(kRowsPerColumn * widest) > wanted) {
    wanted = static_cast<size_t>(kRowsPerColumn * widest);
    choose();
  }
  grams_.assign(rows_.numChannels(), std::nullopt);
  waiting_.assign(rows_.numChannels(), {});
  forChannels(grams_.size(), [&](size_t a, Workspace& workspace) {
    separate(rests, a, workspace.standstill, nullptr);
    grams_[a].emplace(rows_.withEffort(a));
  });
}

double RowStream::separate(const Rests& rests,
                           size_t channel,
                           std::vector<size_t>& standstill,
                           RowPiece* piece) {
  RowBlock::View& rows = rows_.withEffort(channel);
  rests(channel, standstill);
  if (piece != nullptr) wait(rows, standstill, waiting_[channel], *piece);
  for (Eigen::Index c = 0; c < rows.cols() && !standstill.empty(); ++c)
    for (size_t place : standstill) rows(place, c) = 0.0;
  return static_cast<double>(rows.rows()) - static_cast<double>(standstill.size());
}

void RowStream::wait(const RowBlock::View& rows,
                     const std::vector<size_t>& standstill,
                     Waiting& waiting,
                     RowPiece& piece) {
  for (size_t done = 0; done < standstill.size();) {
    if (waiting.count == waiting.rows.rows()) {
      flush(waiting, piece);
      waiting.rows.resize(rowsWaiting(rows.cols()), rows.cols());
    }
    const auto left = static_cast<Eigen::Index>(standstill.size() - done);
    const Eigen::Index count = std::min(left, waiting.rows.rows() - waiting.count);
    for (Eigen::Index c = 0; c < rows.cols(); ++c)
      for (Eigen::Index k = 0; k < count; ++k)
        waiting.rows(waiting.count + k, c) =
            rows(static_cast<Eigen::Index>(standstill[done + static_cast<size_t>(k)]), c);
    waiting.count += count;
    done += static_cast<size_t>(count);
  }
}

void RowStream::flush(Waiting& waiting, RowPiece& piece) {
  if (waiting.count == 0) return;
  if (piece.standstill.rows() == 0.0) piece.standstill = TriangularFactor(waiting.rows.cols());
  piece.standstill.add(waiting.rows.topRows(waiting.count));
  waiting.count = 0;
}

void RowStream::addAgain(const std::vector<Eigen::Index>& samples,
                         const Build& build,
                         const Rests& rests,
                         const std::vector<size_t>& channels,
                         const Add& add) {
  if (channels.empty()) return;
  inBatches(samples, [&](const std::vector<Eigen::Index>& batch) {
    build(batch, rows_);
    forChannels(channels.size(), [&](size_t i, Workspace& workspace) {
      const double left = separate(rests, channels[i], workspace.standstill, nullptr);
      if (left > 0.0) add(channels[i], left, workspace.scratch);
    });
  });
}

void RowStream::compress(const std::vector<Eigen::Index>& samples,
                         const Build& build,
                         const Rests& rests,
                         const std::vector<RowPiece*>& pieces) {
  begin(samples, build, rests);
  std::vector<double> counts(pieces.size(), 0.0);
  inBatches(samples, [&](const std::vector<Eigen::Index>& batch) {
    build(batch, rows_);
    forChannels(pieces.size(), [&](size_t a, Workspace& workspace) {
      const double left = separate(rests, a, workspace.standstill, pieces[a]);
      if (left > 0.0) grams_[a]->add(rows_.withEffort(a), workspace.scratch);
      counts[a] += left;
    });
  });
  const auto settle = [&](size_t a) {
    if (counts[a] == 0.0) return true;
    std::optional<Eigen::MatrixXd> R = grams_[a]->factor();
    if (R) pieces[a]->moving = TriangularFactor::fromUpper(std::move(*R), counts[a]);
    return R.has_value();
  };
  forChannels(pieces.size(), [&](size_t a, Workspace&) {
    Waiting& waiting = waiting_[a];
    if (pieces[a]->standstill.rows() > 0.0 ||
        waiting.count > kRowsPerColumn * waiting.rows.cols()) {
      flush(waiting, *pieces[a]);
    } else {
      pieces[a]->standstill_rows = waiting.rows.topRows(waiting.count);
    }
  });
  enum class State : char { kSettled, kAgain, kHard };
  std::vector<size_t> open(pieces.size()), again, hard;
  std::iota(open.begin(), open.end(), 0);
  for (int restarts = 0; !open.empty(); ++restarts) {
    std::vector<State> states(open.size(), State::kSettled);
    forChannels(open.size(), [&](size_t i, Workspace&) {
      if (settle(open[i])) return;
      const bool restarted = restarts < BatchedGram::kRestarts && grams_[open[i]]->restart();
      states[i] = restarted ? State::kAgain : State::kHard;
    });
    again.clear();
    for (size_t i = 0; i < open.size(); ++i)
      if (states[i] != State::kSettled)
        (states[i] == State::kAgain ? again : hard).push_back(open[i]);
    addAgain(samples, build, rests, again, [&](size_t a, double, Scratch& scratch) {
      grams_[a]->add(rows_.withEffort(a), scratch);
    });
    open = again;
  }
  for (size_t a : hard) pieces[a]->moving = TriangularFactor(rows_.withEffort(a).cols());
  addAgain(samples, build, rests, hard, [&](size_t a, double rows, Scratch&) {
    pieces[a]->moving.add(rows_.withEffort(a), rows);
  });
}

}  // namespace dynid
