#pragma once

#include "dynid/identification/identify.h"
#include "dynid/model/model.h"

#include <memory>
#include <vector>

namespace dynid {

class LogSource;

/// Samples of the logs from which a model was identified, with the model's prediction, evenly
/// distributed over at most eight of the logs and over their windows. The amount of data read is
/// bounded, whatever the size of the logs. Logs with a payload given on the command line are left
/// out.
/// @param threads  the result does not depend on it
/// @returns empty if the model cannot predict these logs, or predicts in amperes
OperatingPoints operatingPoints(const Model& model,
                                const std::vector<std::shared_ptr<const LogSource>>& logs,
                                int threads);

/// Gives the model of an identification its operating points, from the logs that `identify` opened.
/// Exports compare their file with the model at these points, and validations of other logs compare
/// their errors with those at these points; without them both say less.
/// @param threads  the result does not depend on it
void addOperatingPoints(Identification& result, int threads);

}  // namespace dynid
