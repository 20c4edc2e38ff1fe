#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/identify.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace dynid {

/// What was tried on a log, best first, and what was left out: a few lines of text.
/// @param names  of the log's columns
std::string diagnosisText(const Diagnosis& diagnosis, const std::vector<std::string>& names);

/// The same as data: every hypothesis with its certainty and gains, what is unexplained per joint,
/// delays, what was left out.
nlohmann::ordered_json diagnosisJson(const Diagnosis& diagnosis,
                                     const std::vector<std::string>& names);

/// Section of the report: one table of hypotheses per log (of many logs the first ones).
std::string diagnosisSection(const Identification& identification);

}  // namespace dynid
