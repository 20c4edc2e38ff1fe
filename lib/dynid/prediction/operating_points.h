#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"

#include <vector>

namespace dynid {

/// Samples of the logs that a model was identified from, with the model's prediction, evenly spread
/// over at most eight of the logs and over their windows. A bounded amount of data is read,
/// whatever the size of the logs. Logs whose payload is given on the command line are left out.
///
/// @returns empty where the model cannot predict these logs, or predicts amperes
OperatingPoints operatingPoints(const Model& model,
                                const std::vector<LogInput>& logs,
                                const IdentificationSettings& settings);

}  // namespace dynid
