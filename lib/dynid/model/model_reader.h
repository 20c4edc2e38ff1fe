#pragma once

#include "dynid/model/json_place.h"
#include "dynid/model/model.h"

namespace dynid {

/// The inverse of writeModel. The robot is read again from the texts that the model carries.
/// @throws InputError "file: /key: ..." for a missing key, a wrong type or size, or a robot that is
/// not the one that the model was identified for.
Model readModel(const JsonPlace& document);

}  // namespace dynid
