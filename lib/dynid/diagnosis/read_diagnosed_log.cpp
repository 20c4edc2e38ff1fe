#include "dynid/diagnosis/read_diagnosed_log.h"

#include "dynid/recordings/open_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dynid {
namespace {

constexpr std::int64_t kWholeLog = 200000;  // rows
constexpr std::int64_t kReadParts = 20;
constexpr std::int64_t kPartRows = kWholeLog / kReadParts;

/// First row whose time stamp is `seconds` after the first one.
std::int64_t rowAt(const LogReader& reader, double start, double seconds) {
  std::int64_t low = 0, high = reader.info().rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (reader.readTime(middle, 1)(0) - start < seconds)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

DiagnosedLog readDiagnosedLog(const Robot& robot,
                              const std::filesystem::path& path,
                              const LogCorrection& correction,
                              double from_s,
                              double to_s) {
  const LogReader reader = openReader(robot, path, correction);
  DiagnosedLog log;
  log.currents = reader.info().effort_kind == EffortKind::kCurrent;
  if (reader.info().effort_kind == EffortKind::kNone || reader.info().rows < 2) return log;
  const double start = reader.readTime(0, 1)(0);
  const std::int64_t first = std::isfinite(from_s) ? rowAt(reader, start, from_s) : 0;
  const std::int64_t end = std::isfinite(to_s) ? rowAt(reader, start, to_s) : reader.info().rows;
  if (end - first < 2) return log;
  log.duration_s = reader.readTime(end - 1, 1)(0) - reader.readTime(first, 1)(0);
  const std::int64_t rows = end - first;
  const std::int64_t parts = rows <= kWholeLog ? 1 : kReadParts;
  for (std::int64_t k = 0; k < parts; ++k) {
    const std::int64_t own_rows = parts == 1 ? rows : kPartRows;
    const std::int64_t at = parts == 1 ? first : first + (rows - own_rows) * k / (parts - 1);
    RawBlock block;
    reader.read(at, own_rows, block);
    log.windows.push_back(std::move(block));
  }
  return log;
}

}  // namespace dynid
