#pragma once

#include "dynid/identification/identify.h"
#include "dynid/model/model.h"
#include "dynid/signals/audit.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// What an identification found, for a terminal: status, logs and what was dropped, fit per joint,
/// physical fit, what the logs could not tell. `verbose` adds every base parameter with its
/// interval.
std::string summaryOf(const Identification& identification, bool verbose = false);
std::string summaryOf(const Model& model, bool verbose = false);

/// What a validation found: verdict with its reasons, scores per joint, checks, comparisons.
std::string summaryOf(const ValidationResult& result);
/// The same of several logs; of more than kFewLogs a line each, and the whole of the worst.
std::string summaryOf(const std::vector<ValidationResult>& results);

/// The findings of an audit, worst first; "no findings" for none.
std::string summaryOf(const std::vector<Finding>& findings);

}  // namespace dynid
