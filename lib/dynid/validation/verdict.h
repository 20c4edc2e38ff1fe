#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

namespace dynid {

/// Compares scores and checks with the thresholds: sets `joints` (judgeJoints), `passed`, `verdict`
/// and `reasons`, and adds notes on joints that could not be judged. Every joint that fails or is
/// not judged is named. The log passes if no joint fails and there is no other reason.
void judge(const Model& model, const ValidationThresholds& thresholds, ValidationResult& result);

}  // namespace dynid
