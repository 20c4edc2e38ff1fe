#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace dynid {

/// Samples that arrive besides the rows and are to be brought to the rows' times.
struct MergedSeries {
  std::vector<size_t> slots;  ///< of a row, which the samples fill
  bool interpolate = true;    ///< linearly between neighbours; otherwise the nearest sample
  /// ns, usual distance of two samples: no value is taken from a sample farther away at the ends of
  /// the series, nor across a gap of more than five of them
  double period = 0.0;
};

/// Merges messages of several sources into rows in the order of time, in constant memory.
///
/// The leading source gives the rows; the other sources are brought to the rows' times. Both may
/// arrive out of order by some thousand rows. A clock that jumps back by more than 5 s begins anew.
class RowMerger {
 public:
  using Output = std::function<void(std::int64_t time, std::span<const double> row)>;

  /// @param width  numbers per row; those that nobody fills are NaN
  RowMerger(size_t width, std::vector<MergedSeries> series, Output output);

  /// @param time  ns  @param values  `width` numbers, NaN where a series fills them
  void row(std::int64_t time, std::span<const double> values);
  /// @param values  one per slot of the series
  void sample(size_t series, std::int64_t time, std::span<const double> values);
  void finish();

  std::int64_t rows() const { return rows_; }
  /// Rows that came after a later one, and were put into order.
  std::int64_t sorted() const { return sorted_; }
  /// Rows that came so late that later ones had been written.
  std::int64_t late() const { return late_; }
  std::int64_t jumps() const { return jumps_; }
  /// Rows without a value of this series.
  std::int64_t missing(size_t series) const { return states_[series].missing; }

 private:
  struct Sample {
    std::int64_t time;
    std::vector<double> values;
  };
  struct State {
    MergedSeries series;
    std::deque<Sample> samples;
    std::int64_t missing = 0;
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
