#pragma once

#include "dynid/equations/payloads.h"
#include "dynid/logs/log.h"
#include "dynid/model/model.h"

#include <optional>
#include <string>

namespace dynid {

/// The payload of a log as the user or the log states it; entries that neither states are NaN.
///
/// A log that states none was trained on with a payload if it is a log of the model (the same
/// SHA-256) and the model has a payload that is named after it: it was stated beside the log when
/// the model was identified.
///
/// @param stated  "link:mass" [kg], takes precedence over the payload in the log; "": none stated
/// @throws InputError if the robot does not have the link
std::optional<Payload> payloadOf(const Model& model,
                                 const LogInfo& info,
                                 const std::string& stated = {});

/// This payload of the log in the model: that of its name, or, for an unnamed one, of the same log
/// (SHA-256), if it is on the same link. nullptr: the model does not know it.
const PayloadModel* knownPayload(const Model& model, const LogInfo& info, const Payload& payload);

/// The one payload of the model on the same link with the same mass (within 2 %), for an unnamed
/// payload whose centre of mass is not stated. nullptr: there is none, or more than one.
const PayloadModel* likePayload(const Model& model, const LogInfo& info, const Payload& payload);

/// The payload with which a log is predicted: payloadOf with the parameters of the model if the
/// model knows it (knownPayload) or has one that is like it (likePayload). Values that are still
/// missing are those of a point mass at the link's origin.
///
/// @throws InputError if neither the user nor the log nor the model has the mass of the payload, or
///     if the robot does not have the link
std::optional<Payload> payloadToPredict(const Model& model,
                                        const LogInfo& info,
                                        const std::string& stated = {});

}  // namespace dynid
