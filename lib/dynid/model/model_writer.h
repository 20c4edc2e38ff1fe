#pragma once

#include "dynid/model/json_text.h"
#include "dynid/model/model.h"

namespace dynid {

/// The model as a JSON object (format: datasets/README.md, "Model (JSON)"). Each parameter occurs
/// once, under its link, joint, actuator or payload; `columns` gives the order of the effects.
///
/// @throws std::invalid_argument if the parts of the model do not fit together (sizes, repeated
/// names).
Json writeModel(const Model& model);

}  // namespace dynid
