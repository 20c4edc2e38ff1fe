#pragma once

#include "dynid/model/json_place.h"
#include "dynid/model/model.h"

namespace dynid {

/// The inverse of writeModel. The robot is built from the texts in the model file.
/// @throws InputError "file: /key: ..." for a missing key, a wrong type or size, or a robot other
/// than the one that the model was identified for
Model readModel(const JsonPlace& document);

}  // namespace dynid
