#pragma once

#include "dynid/identification/identify.h"
#include "dynid/validation/validation.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dynid {

/// Up to this number of logs are shown individually; of more logs, a summary and the worst ones.
inline constexpr std::size_t kFewLogs = 8;

/// Findings of the audit of one log, or of all logs together.
struct ShownAudit {
  std::string of;
  std::vector<Finding> findings;
};

/// One audit per log. For more than kFewLogs logs one audit of all: findings of the same severity
/// and code at the same joint are merged, with the text of the first log, its name and the number
/// of logs; sorted by severity, then by frequency.
std::vector<ShownAudit> shownAudits(const Identification& identification);

/// The logs. For more than kFewLogs logs one record of all: counts are added, and notes that differ
/// only in their numbers are merged.
std::vector<LogRecord> shownLogs(const std::vector<LogRecord>& logs);

/// Indices of the results that are shown individually: all, or the kFewLogs worst, worst first
/// (failed ones, then by relative error).
std::vector<std::size_t> shownResults(const std::vector<ValidationResult>& results);

/// Table rows: a header and one row per log, worst first: verdict, errors, the joint with the
/// largest error while moving.
std::vector<std::vector<std::string>> logRows(const std::vector<ValidationResult>& results);

/// "610 of 612 logs passed, relative error 3.4 % (median)".
std::string outcomeOf(const std::vector<ValidationResult>& results);

/// Deletes the curves of results that are not shown, to release their memory.
void dropHiddenCurves(std::vector<ValidationResult>& results);

/// At most kFewLogs indices below `logs`, evenly spread.
std::vector<std::size_t> someLogs(std::size_t logs);

}  // namespace dynid
