#pragma once

#include "dynid/identification/identify.h"
#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid {

/// A report as one self-contained HTML page: no external resources, printable. Its content comes
/// from the model and the validation results only.
///
/// @param validations  one per log; may be empty. Of more than kFewLogs logs the kFewLogs worst are
/// shown in full, and all of them in a table
std::string htmlReport(const Model& model, const std::vector<ValidationResult>& validations);

/// The same for an identification, with its audits.
/// @param on_training  predictions of the training logs (the report states that they are no test on
/// other logs); may be empty
std::string htmlReport(const Identification& identification,
                       const std::vector<ValidationResult>& on_training = {});

}  // namespace dynid
