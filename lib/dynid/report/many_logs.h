#pragma once

#include "dynid/identification/identify.h"
#include "dynid/validation/validation.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dynid {

/// So many logs are shown one by one; of more, what they have in common and the worst of them.
inline constexpr std::size_t kFewLogs = 8;

/// What the audit found in a log, or in all of many.
struct ShownAudit {
  std::string of;
  std::vector<Finding> findings;
};

/// An audit a log. Of many logs one of all: findings of the same severity and code at the same
/// joint are one, in the words of the first log, with its name and the number of logs; worst first,
/// then the most frequent.
std::vector<ShownAudit> shownAudits(const Identification& identification);

/// The logs. Of many one for all: counts added up; notes that differ only in their numbers are one,
/// as above.
std::vector<LogRecord> shownLogs(const std::vector<LogRecord>& logs);

/// Indices of the results that are shown one by one: all, or the kFewLogs worst of many, worst
/// first (failed ones, then by relative error).
std::vector<std::size_t> shownResults(const std::vector<ValidationResult>& results);

/// A head and a row a log, worst first: verdict, errors, the joint that is worst while it moves.
std::vector<std::vector<std::string>> logRows(const std::vector<ValidationResult>& results);

/// "610 of 612 logs passed, relative error 3.4 % (median)".
std::string outcomeOf(const std::vector<ValidationResult>& results);

/// Lets go of the curves of results that are not shown.
void dropHiddenCurves(std::vector<ValidationResult>& results);

/// Indices of at most kFewLogs of so many logs, evenly spread.
std::vector<std::size_t> someLogs(std::size_t logs);

}  // namespace dynid
