#pragma once

#include "dynid/model/model.h"
#include "dynid/recordings/log_source.h"

#include <memory>
#include <vector>

namespace dynid {

/// Samples of the logs from which a model was identified, with the model's prediction, evenly
/// distributed over at most eight of the logs and over their windows. The amount of data read is
/// bounded, whatever the size of the logs. Logs with a payload given on the command line are left
/// out.
/// @param threads  the result does not depend on it
/// @returns empty if the model cannot predict these logs, or predicts in amperes
OperatingPoints operatingPoints(const Model& model,
                                const std::vector<std::shared_ptr<const LogSource>>& logs,
                                int threads);

}  // namespace dynid
