#include "dynid/diagnosis/read_diagnosed_log.h"

#include "dynid/recordings/open_reader.h"
#include "dynid/recordings/time_range.h"

#include <cstdint>
#include <utility>

namespace dynid {
namespace {

constexpr std::int64_t kWholeLog = 200000;  // rows
constexpr std::int64_t kReadParts = 20;
constexpr std::int64_t kPartRows = kWholeLog / kReadParts;

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
  const TimeRange range = timeRange(reader, from_s, to_s);
  log.duration_s = range.duration_s;
  log.start_s = range.start_s;
  const std::int64_t rows = range.end_row - range.first_row;
  const std::int64_t parts = rows <= kWholeLog ? 1 : kReadParts;
  for (std::int64_t k = 0; k < parts; ++k) {
    const std::int64_t own_rows = parts == 1 ? rows : kPartRows;
    const std::int64_t at =
        parts == 1 ? range.first_row : range.first_row + (rows - own_rows) * k / (parts - 1);
    RawBlock block;
    reader.read(at, own_rows, block);
    log.windows.push_back(std::move(block));
  }
  return log;
}

}  // namespace dynid
