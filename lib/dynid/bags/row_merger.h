#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace dynid {

/// A source of samples that are interpolated at the times of the rows.
struct MergedSeries {
  std::vector<size_t> slots;  ///< indices in the row that its samples fill
  bool interpolate = true;    ///< linearly between neighbours; false: the nearest sample
  /// [ns] usual distance of two samples. A row gets no value outside an interpolated series or in a
  /// gap of it of more than five periods, and farther than this from the nearest sample of another.
  double period = 0.0;
};

/// Merges messages of several sources into rows in the order of time, in constant memory.
///
/// The leading source provides the rows; the other sources are interpolated at the rows' times.
/// Both may arrive out of order by some thousand rows. If a clock jumps back by more than 5 s,
/// merging starts again.
class RowMerger {
 public:
  using Output = std::function<void(std::int64_t time, std::span<const double> row)>;

  /// @param width  numbers per row; those that no source fills are NaN
  RowMerger(size_t width, std::vector<MergedSeries> series, Output output);

  /// @param time  ns  @param values  `width` numbers, NaN where a series fills them
  void row(std::int64_t time, std::span<const double> values);
  /// @param values  one per slot of the series
  void sample(size_t series, std::int64_t time, std::span<const double> values);
  void finish();

  std::int64_t rows() const { return rows_; }
  /// Number of rows that arrived after a later one and were sorted.
  std::int64_t sorted() const { return sorted_; }
  /// Number of rows that arrived after later rows had been written.
  std::int64_t late() const { return late_; }
  std::int64_t jumps() const { return jumps_; }
  /// Number of rows without a value of this series.
  std::int64_t missing(size_t series) const { return states_[series].missing; }
  /// Whether rows have no value of this series because its samples came so long before or after
  /// them that they could not be kept.
  bool isOutOfReach(size_t series) const { return states_[series].out_of_reach; }

 private:
  struct Sample {
    std::int64_t time;
    std::vector<double> values;
  };
  struct State {
    MergedSeries series;
    std::deque<Sample> samples;
    std::int64_t missing = 0;
    bool out_of_reach = false;
    std::int64_t newest_dropped = INT64_MIN;  // of the samples that no row came for
    // Least and greatest time of the rows that were written while no later sample had come.
    std::int64_t first_early = INT64_MAX, last_early = INT64_MIN;
  };

  static void insert(std::deque<Sample>& samples, Sample sample);
  bool isReady(const Sample& row) const;
  void writeFront();
  void fill(State& state, Sample& row);

  Output output_;
  size_t width_;
  std::vector<State> states_;
  std::deque<Sample> pending_;
  std::int64_t rows_ = 0, sorted_ = 0, late_ = 0, jumps_ = 0;
  std::int64_t newest_written_ = INT64_MIN;
};

}  // namespace dynid
