#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/signals/log_correction.h"

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

namespace dynid {

/// So many mistakes of one log are undone at most.
inline constexpr int kMostAssumptions = 3;

/// Undoes the likeliest mistake that the diagnosis names and that can be undone, diagnoses the
/// corrected log, and so on: until nothing is named, until what is named cannot be undone, or until
/// kMostAssumptions mistakes are undone. Nothing is said about whether the log is right then: the
/// identification diagnoses it again.
/// @returns the clauses ("the effort of elbow has the opposite sign"; explanations that are nearly
/// as likely are added in brackets) and the correction of all of them together; empty where nothing
/// is named
LogAssumptions findAssumptions(const std::shared_ptr<const Robot>& robot, DiagnosedLog log);

/// The same for several log files; only those about which something is assumed.
/// @param from_s, to_s  the used part [s]
/// @throws InputError for a log that cannot be read
std::map<std::filesystem::path, LogAssumptions> findAssumptions(
    const std::shared_ptr<const Robot>& robot,
    const std::vector<std::filesystem::path>& logs,
    double from_s,
    double to_s);

}  // namespace dynid
