#pragma once

#include "dynid/model/model.h"
#include "dynid/signals/finding.h"

#include <string>
#include <vector>

namespace dynid {

/// One sentence on the joints that move in all logs at less than a fifth of their velocity limits
/// (audit: speed-low); "" for none, and where not all logs of the model were audited.
/// @param audits  per log, as Identification::audits
std::string slowMotion(const Model& model, const std::vector<std::vector<Finding>>& audits);

}  // namespace dynid
