#pragma once

#include "dynid/logs/log_reader.h"

#include <cstdint>
#include <vector>

namespace dynid {

/// The rows of a log between two times.
struct TimeRange {
  std::int64_t first_row = 0;
  std::int64_t end_row = 0;
  double start_s = 0.0;     ///< [s] first usable time stamp of the log
  double duration_s = 0.0;  ///< [s] from the first to the last usable stamp of the rows
  /// Rows at the ends that are not part of the log: fewer than can be filtered, and separated from
  /// the rest by a step of the time that is longer than all else.
  std::int64_t stray_rows = 0;
  double stray_s = 0.0;  ///< [s] by which they would lengthen the log
};

/// Finds the rows between `from_s` and `to_s`. Rows whose time stamp is not usable (isUsable) are
/// neither the first nor the last row.
/// @param from_s, to_s  [s] after the first usable time stamp; infinite: the whole log
/// @throws InputError if no time stamp is usable, if the range has fewer than two rows, or if one
///     step of the time is nearly all of its duration (more than a day)
TimeRange timeRange(const LogReader& reader, double from_s, double to_s);

/// An interval between two neighbouring rows in which nothing was recorded.
struct Pause {
  double begin_s = 0.0;   ///< [s] time stamp of the row before it
  double length_s = 0.0;  ///< [s] by which it is longer than the usual interval
};

/// The pauses of the rows [first_row, end_row) that are longer than a 64th of the time in which
/// these rows were recorded, in ascending order. They are found by bisection, without reading all
/// stamps; isolated wrong stamps are not pauses. The first row has a usable stamp.
/// @param step_s  [s] usual interval between rows
std::vector<Pause> longPauses(const LogReader& reader,
                              std::int64_t first_row,
                              std::int64_t end_row,
                              double step_s);

}  // namespace dynid
