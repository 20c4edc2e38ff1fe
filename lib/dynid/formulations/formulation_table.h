#pragma once

#include "dynid/formulations/formulation.h"

#include <vector>

namespace dynid {

/// All formulations, for the agreement test and the command `check`. The first is the projection
/// method, with which the others are compared.
std::vector<Formulation> allFormulations();

}  // namespace dynid
