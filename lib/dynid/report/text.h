#pragma once

#include "dynid/identification/identify.h"
#include "dynid/model/model.h"
#include "dynid/signals/finding.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// Summary of an identification for a terminal: status, logs and dropped samples, fit per joint,
/// physical fit, parameters that the logs do not determine. `verbose` adds every base parameter
/// with its interval.
std::string summaryOf(const Identification& identification, bool verbose = false);
std::string summaryOf(const Model& model, bool verbose = false);

/// Summary of a validation: verdict with its reasons, scores per joint, checks, comparisons.
std::string summaryOf(const ValidationResult& result);
/// Summary of several logs; for more than kFewLogs logs one line each, and the full summary of the
/// worst.
std::string summaryOf(const std::vector<ValidationResult>& results);

/// The findings of an audit, worst first; "no findings" for none.
std::string summaryOf(const std::vector<Finding>& findings);

}  // namespace dynid
