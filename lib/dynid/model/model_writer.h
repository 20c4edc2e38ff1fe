#pragma once

#include "dynid/model/json_text.h"
#include "dynid/model/model.h"

namespace dynid {

/// The model as the JSON object of INTERFACES, "Identified model". Each parameter stands once,
/// where a reader looks for it (links, joints, actuators, payloads); `columns` says in which order
/// the effects are counted.
///
/// @throws std::invalid_argument if the parts of the model do not fit together (sizes, repeated
/// names).
Json writeModel(const Model& model);

}  // namespace dynid
