#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"

#include <vector>

namespace dynid {

/// Samples of the logs from which a model was identified, with the model's prediction, evenly
/// distributed over at most eight of the logs and over their windows. The amount of data read is
/// bounded, whatever the size of the logs. Logs with a payload given on the command line are left
/// out.
///
/// @returns empty if the model cannot predict these logs, or predicts in amperes
OperatingPoints operatingPoints(const Model& model,
                                const std::vector<LogInput>& logs,
                                const IdentificationSettings& settings);

}  // namespace dynid
