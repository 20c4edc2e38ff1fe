#include "dynid/bags/row_merger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

constexpr std::int64_t kJump = 5'000'000'000;  // ns
constexpr size_t kSortedRows = 4096;
constexpr size_t kMaxBytes = size_t{16} << 20;  // of rows, and of samples per series
constexpr double kMaxGap = 5.0;                 // periods
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Largest number of samples of `width` numbers that are buffered.
size_t mostSamples(size_t width) {
  return std::max<size_t>(2 * kSortedRows,
                          kMaxBytes / (sizeof(double) * std::max<size_t>(width, 8)));
}

/// The times are subtracted as integers: a double holds those since 1970 only to 256 ns.
double distance(std::int64_t from, std::int64_t to) { return static_cast<double>(to - from); }

}  // namespace

RowMerger::RowMerger(size_t width, std::vector<MergedSeries> series, Output output)
    : output_(std::move(output)), width_(width) {
  for (MergedSeries& one : series) states_.emplace_back().series = std::move(one);
}

void RowMerger::insert(std::deque<Sample>& samples, Sample sample) {
  auto at = samples.end();
  while (at != samples.begin() && std::prev(at)->time > sample.time) --at;
  samples.insert(at, std::move(sample));
}

void RowMerger::row(std::int64_t time, std::span<const double> values) {
  const std::int64_t newest = pending_.empty() ? newest_written_ : pending_.back().time;
  if (newest != INT64_MIN && time < newest - kJump) {
    while (!pending_.empty()) writeFront();
    newest_written_ = INT64_MIN;
    ++jumps_;
  } else if (newest != INT64_MIN && time < newest) {
    ++(time < newest_written_ ? late_ : sorted_);
  }
  insert(pending_, {time, {values.begin(), values.end()}});
  while (pending_.size() > kSortedRows &&
         (isReady(pending_.front()) || pending_.size() > mostSamples(width_)))
    writeFront();
}

void RowMerger::sample(size_t series, std::int64_t time, std::span<const double> values) {
  State& state = states_[series];
  std::deque<Sample>& samples = state.samples;
  if (!samples.empty() && time < samples.back().time - kJump) {
    samples.clear();
    state.newest_dropped = state.last_early = INT64_MIN;
    state.first_early = INT64_MAX;
  }
  if (time >= state.first_early && time <= state.last_early) state.out_of_reach = true;
  insert(samples, {time, {values.begin(), values.end()}});
  if (samples.size() <= mostSamples(values.size())) return;
  // Rows before a pause of the leading source, which need the sample.
  while (!pending_.empty() && pending_.front().time < samples[1].time && isReady(pending_.front()))
    writeFront();
  state.newest_dropped = std::max(state.newest_dropped, samples.front().time);
  samples.pop_front();
}

void RowMerger::finish() {
  while (!pending_.empty()) writeFront();
}

bool RowMerger::isReady(const Sample& row) const {
  return std::all_of(states_.begin(), states_.end(), [&](const State& state) {
    return !state.samples.empty() && state.samples.back().time >= row.time;
  });
}

void RowMerger::writeFront() {
  Sample& row = pending_.front();
  for (State& state : states_) fill(state, row);
  output_(row.time, row.values);
  newest_written_ = std::max(newest_written_, row.time);
  ++rows_;
  pending_.pop_front();
}

void RowMerger::fill(State& state, Sample& row) {
  std::deque<Sample>& samples = state.samples;
  while (samples.size() > 1 && samples[1].time <= row.time) samples.pop_front();
  const auto set = [&](const Sample* before, const Sample* after, double share) {
    for (size_t i = 0; i < state.series.slots.size(); ++i) {
      const double a = before->values[i], b = after->values[i];
      // Exactly the samples at the ends, without rounding errors.
      row.values[state.series.slots[i]] = share <= 0.0 ? a : share >= 1.0 ? b : a + share * (b - a);
    }
  };
  const bool between = samples.size() > 1 && samples[0].time <= row.time;
  const double gap = between ? distance(samples[0].time, samples[1].time) : 0.0;
  const double share = between ? distance(samples[0].time, row.time) / gap : 0.0;
  if (state.series.interpolate) {
    const bool on_sample = !samples.empty() && samples[0].time == row.time;
    if (on_sample) return set(&samples[0], &samples[0], 0.0);
    if (between && gap <= kMaxGap * state.series.period)
      return set(&samples[0], &samples[1], share);
  } else if (!samples.empty()) {
    const Sample& nearest = samples[share > 0.5 ? 1 : 0];
    if (std::abs(distance(nearest.time, row.time)) <= state.series.period)
      return set(&nearest, &nearest, 0.0);
  }
  ++state.missing;
  if (row.time <= state.newest_dropped) state.out_of_reach = true;
  if (samples.empty() || samples.back().time < row.time) {
    state.first_early = std::min(state.first_early, row.time);
    state.last_early = std::max(state.last_early, row.time);
  }
  for (const size_t slot : state.series.slots) row.values[slot] = kNaN;
}

}  // namespace dynid
