#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

namespace dynid {

/// Judges scores and checks against the thresholds: fills `passed`, `verdict`, `reasons`, and adds
/// notes about joints that could not be judged. Every joint that fails, and every joint that is not
/// judged, is named.
void judge(const Model& model, const ValidationThresholds& thresholds, ValidationResult& result);

}  // namespace dynid
