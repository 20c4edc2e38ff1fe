#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/signals/log_correction.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace dynid {

/// Largest number of mistakes of one log that are undone.
inline constexpr int kMostAssumptions = 3;

/// Diagnoses a log, undoes the likeliest mistake that can be undone, and repeats this with the
/// corrected log. Ends if no mistake is named, if none of those named can be undone, or after
/// kMostAssumptions mistakes. The corrected log may still be wrong: the identification diagnoses it
/// again.
/// Positions are not assumed to be in degrees where that does not explain the efforts
/// (findPositionRatio), or where with that undone their scale is still wrong.
/// @throws InputError in these two cases
/// @returns the clauses ("the effort of elbow has the opposite sign"; explanations that are nearly
/// as likely are added in brackets) and the correction of all of them together; empty where nothing
/// is named
LogAssumptions findAssumptions(const std::shared_ptr<const Robot>& robot, DiagnosedLog log);

/// Of the mistakes that are named for a log, most likely first, the one that is named for most
/// logs.
/// @param named  per log; values that differ by less than a tenth are the same
/// @returns nothing where none is named for the log
std::optional<Mistake> namedForMostLogs(const std::vector<std::vector<Mistake>>& named, size_t log);

/// The same as findAssumptions for several log files. Among explanations of one log that are nearly
/// as likely, the one that is named for most logs is assumed: logs of one import have the same
/// mistakes. The result contains only files about which something is assumed.
/// Nothing is assumed about a log in which a joint that the robot holds fixed moves or is elsewhere
/// (auditHeldJoints): what else its efforts show may come from that.
/// @param from_s, to_s  the used part [s]
/// @param force  nothing is assumed about a log for which an error would be thrown
/// @throws InputError for a log that cannot be read, and as the function above
std::map<std::filesystem::path, LogAssumptions> findAssumptions(
    const std::shared_ptr<const Robot>& robot,
    const std::vector<std::filesystem::path>& logs,
    double from_s,
    double to_s,
    bool force = false);

}  // namespace dynid
