#include "dynid/recordings/time_range.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/signals/row_order.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace dynid {
namespace {

double timeAt(const LogReader& reader, std::int64_t row) { return reader.readTime(row, 1)(0); }

/// The first row from `row` on, before `end`, in steps of +1 or -1, with a usable time stamp;
/// `end` if there is none.
std::int64_t usableRow(const LogReader& reader, std::int64_t row, std::int64_t end, int step) {
  constexpr std::int64_t kAtATime = 4096;
  while (row != end) {
    const std::int64_t count = std::min(kAtATime, std::abs(end - row));
    const std::int64_t first = step > 0 ? row : row - count + 1;
    const Eigen::VectorXd times = reader.readTime(first, count);
    for (std::int64_t i = 0; i < count; ++i, row += step)
      if (isUsable(times(row - first))) return row;
  }
  return end;
}

/// The first row of [low, high) at least `t` after the stamp `start`; `high` if there is none.
/// Stamps ascend except for isolated errors, which are irrelevant here.
std::int64_t firstRowAt(
    const LogReader& reader, std::int64_t low, std::int64_t high, double start, double t) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::int64_t row = usableRow(reader, middle, high, 1);
    if (row < high && timeAt(reader, row) - start < t)
      low = row + 1;
    else
      high = middle;
  }
  return low;
}

/// A usable row strictly between two rows, near their middle; `high` if there is none.
std::int64_t rowBetween(const LogReader& reader, std::int64_t low, std::int64_t high) {
  const std::int64_t middle = low + (high - low) / 2;
  if (middle == low) return high;
  const std::int64_t above = usableRow(reader, middle, high, 1);
  if (above < high) return above;
  const std::int64_t below = usableRow(reader, middle - 1, low, -1);
  return below > low ? below : high;
}

/// The row from which on the log is used, in the direction of `step`: `row`, or the one behind a
/// step of more than half of the duration if fewer rows lie before it than can be filtered. They
/// are samples of an earlier time, such as a message that a publisher keeps for late subscribers.
std::int64_t afterStrayRows(const LogReader& reader, std::int64_t row, std::int64_t end, int step) {
  constexpr std::int64_t kTooFew = 8, kManyMore = 100;
  if (std::abs(end - row) < kManyMore) return row;
  const double half = 0.5 * std::abs(timeAt(reader, end) - timeAt(reader, row));
  std::int64_t before = row;
  for (std::int64_t count = 1; count < kTooFew; ++count) {
    const std::int64_t next = usableRow(reader, before + step, end, step);
    if (std::abs(timeAt(reader, next) - timeAt(reader, before)) > half) return next;
    before = next;
  }
  return row;
}

/// Refuses rows in which a single step of the time is nearly all of the duration: such a log cannot
/// be divided into blocks of time. The half that lasts longer is divided until it is one step.
void refuseJump(const LogReader& reader, std::int64_t low, std::int64_t high) {
  constexpr double kDay = 86400.0;  // [s]
  constexpr double kRest = 1e-4;    // share of the duration that is outside of the step
  double start = timeAt(reader, low), end = timeAt(reader, high);
  const double duration = end - start;
  if (!(duration > kDay)) return;
  for (std::int64_t row = rowBetween(reader, low, high); row < high;
       row = rowBetween(reader, low, high)) {
    const double time = timeAt(reader, row);
    const bool later = end - time > time - start;
    (later ? low : high) = row;
    (later ? start : end) = time;
  }
  const double rest = duration - (end - start);
  if (rest > kRest * duration) return;
  throw InputError(fmt::format(
      "{}:/time: row {} is {} s later than the usable row before it, all other rows together last "
      "{} s: rows without a time (0), or a clock that was set in between; leave out the rows "
      "before or after it, or correct their stamps",
      reader.info().path.string(),
      high + 1,
      toText(end - start, 4),
      toText(rest, 4)));
}

/// Searches for pauses between two rows.
struct PauseSearch {
  const LogReader& reader;
  double step_s, shortest_s;
  std::vector<Pause> found = {};

  void between(std::int64_t low, double low_s, std::int64_t high, double high_s) {
    const double excess = high_s - low_s - step_s * static_cast<double>(high - low);
    if (excess < shortest_s) return;
    const std::int64_t row = rightRowBetween(low, low_s, high, high_s);
    if (row == high) {
      found.push_back({low_s, excess});
      return;
    }
    const double time = timeAt(reader, row);
    between(low, low_s, row, time);
    between(row, time, high, high_s);
  }

  /// A row near the middle whose stamp is not an isolated error: it is between those of the two
  /// rows and near the next one, or a pause follows. `high` if there is none.
  std::int64_t rightRowBetween(std::int64_t low,
                               double low_s,
                               std::int64_t high,
                               double high_s) const {
    std::int64_t row = rowBetween(reader, low, high);
    while (row < high) {
      const double time = timeAt(reader, row);
      const std::int64_t next = usableRow(reader, row + 1, high, 1);
      const bool in_order = time >= low_s && time <= high_s;
      if (in_order && (next == high || timeAt(reader, next) - time < shortest_s)) return row;
      row = next;
    }
    return high;
  }
};

}  // namespace

TimeRange timeRange(const LogReader& reader, double from_s, double to_s) {
  const std::int64_t rows = reader.info().rows;
  std::int64_t first = usableRow(reader, 0, rows, 1);
  std::int64_t last = usableRow(reader, rows - 1, -1, -1);
  const std::string path = reader.info().path.string();
  if (first == rows) {
    const std::string unit = rows > 0 ? stampUnitRemedy(timeAt(reader, 0)) : "";
    throw InputError(path + ":/time: every time stamp is NaN, infinite or larger than 1e12 s" +
                     (unit.empty() ? "" : " (" + unit + ")") +
                     "; record the time of each sample, or give the attribute 'sample_rate_hz' "
                     "instead");
  }
  const std::int64_t usable_first = first, usable_last = last;
  first = afterStrayRows(reader, first, last, 1);
  last = afterStrayRows(reader, last, first, -1);
  TimeRange range{first, last + 1, timeAt(reader, first), 0.0};
  range.stray_rows = first - usable_first + usable_last - last;
  range.stray_s = timeAt(reader, usable_last) - timeAt(reader, usable_first) -
                  (timeAt(reader, last) - timeAt(reader, first));
  if (std::isfinite(from_s))
    range.first_row = firstRowAt(reader, first, last + 1, range.start_s, from_s);
  if (std::isfinite(to_s)) range.end_row = firstRowAt(reader, first, last + 1, range.start_s, to_s);
  range.first_row = usableRow(reader, range.first_row, std::max(range.first_row, range.end_row), 1);
  if (first == last)
    throw InputError(path +
                     ":/time: only one row has a usable time stamp (finite, at most 1e12 s); give "
                     "the unit of the stamps, or correct sample_rate_hz");
  if (range.end_row - range.first_row < 2)
    throw InputError(path + ":/time: no samples between " + toText(from_s) + " s and " +
                     toText(to_s) + " s; the log lasts " +
                     toText(timeAt(reader, last) - range.start_s) + " s");
  const std::int64_t final_row = usableRow(reader, range.end_row - 1, range.first_row - 1, -1);
  range.duration_s = timeAt(reader, final_row) - timeAt(reader, range.first_row);
  refuseJump(reader, range.first_row, final_row);
  return range;
}

std::vector<Pause> longPauses(const LogReader& reader,
                              std::int64_t first_row,
                              std::int64_t end_row,
                              double step_s) {
  constexpr double kShortest = 1.0 / 64.0;
  const std::int64_t last = usableRow(reader, end_row - 1, first_row - 1, -1);
  const double recorded_s = step_s * static_cast<double>(last - first_row);
  PauseSearch search{reader, step_s, kShortest * recorded_s};
  search.between(first_row, timeAt(reader, first_row), last, timeAt(reader, last));
  return search.found;
}

}  // namespace dynid
