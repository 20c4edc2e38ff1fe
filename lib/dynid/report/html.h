#pragma once

#include "dynid/identification/identify.h"
#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// A report as one self-contained HTML page: no scripts, nothing fetched, prints well. Everything
/// in it is in the model or in the validation results.
///
/// @param validations  one a log; may be empty. Of more than kFewLogs so many of the worst are
/// shown, and all in a table
std::string htmlReport(const Model& model, const std::vector<ValidationResult>& validations);

/// The same of an identification, with its audits. @param on_training  predictions of the training
/// logs, to look at (they say nothing about other logs, and the report says so); may be empty
std::string htmlReport(const Identification& identification,
                       const std::vector<ValidationResult>& on_training = {});

}  // namespace dynid
