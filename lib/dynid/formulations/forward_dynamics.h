#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// forwardDynamics of the dynamics room: ddq = M^-1 (tau - bias), M from the body Jacobians, bias
/// from the recursion.
Formulation forwardDynamicsFormulation();

}  // namespace dynid
