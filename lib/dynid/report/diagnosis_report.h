#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/identify.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace dynid {

/// A few lines of text: the hypotheses tested on a log, best first, and those that were not tested.
/// @param names  of the log's columns
std::string diagnosisText(const Diagnosis& diagnosis, const std::vector<std::string>& names);

/// The diagnosis as JSON: every hypothesis with its certainty and gains, the unexplained part per
/// joint, delays, and the hypotheses that were not tested.
nlohmann::ordered_json diagnosisJson(const Diagnosis& diagnosis,
                                     const std::vector<std::string>& names);

/// Section of the report: one table of hypotheses per log (at most kFewLogs logs).
std::string diagnosisSection(const Identification& identification);

}  // namespace dynid
