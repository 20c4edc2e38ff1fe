#pragma once

#include "dynid/formulations/formulation.h"

#include <vector>

namespace dynid {

/// Every formulation, one line each; the agreement test and `check` walk this list. The projection
/// method, with which all are compared, stands first.
std::vector<Formulation> allFormulations();

}  // namespace dynid
