#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Logs whose parameters differ by more than ten standard deviations from those of the others, or
/// significantly and with a joint in which one fit of all logs misses the fits of the two sides by
/// more than 0.2 of the measured effort and four times the error of these fits; or with a parameter
/// of the links or drives that differs by more than 15 standard deviations, and a joint that misses
/// by 0.015 and twice that error. One sentence each.
/// @param all  false: only those that are a reason not to use the model. There a joint exists in
///     which one fit of all logs misses the fits of the two sides by more than 0.35 of the measured
///     effort and by more than twice the error of these fits (LogComparison::apart, residual).
///     Friction that drifts between right logs stays below both.
std::vector<std::string> contradictoryLogs(const Model& model, bool all);

/// Limits of a model's use that lie in the choice of its logs, one sentence each: the same log
/// given twice, a log whose parts (compareParts) differ in a parameter by more than eight
/// standard deviations and in the effort of a joint (LogComparison::apart) by more than 35 %, or 3
/// % and twice the error of the parts' own fits, and contradictoryLogs.
std::vector<std::string> logReservations(const Model& model);

}  // namespace dynid
