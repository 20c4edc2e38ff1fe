#pragma once

#include "dynid/equations/payloads.h"
#include "dynid/logs/log.h"
#include "dynid/model/model.h"

#include <optional>

namespace dynid {

/// The payload with which a log is predicted: the one that the log states, with the parameters of
/// the model if the model knows it by its name. Values that are still missing are those of a point
/// mass at the link's origin.
///
/// A log that states none was trained on with a payload if it is a log of the model (the same
/// SHA-256) and the model has a payload that is named after it: it was stated beside the log when
/// the model was identified.
///
/// @throws InputError if neither the log nor the model has the mass of the payload, or if the robot
///     does not have the link
std::optional<Payload> payloadToPredict(const Model& model, const LogInfo& info);

}  // namespace dynid
