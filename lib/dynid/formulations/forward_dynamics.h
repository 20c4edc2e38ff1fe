#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Forward dynamics by forwardDynamics: ddq = M^-1 (tau - bias), with M from the body Jacobians and
/// bias from the Newton-Euler recursion.
Formulation forwardDynamicsFormulation();

}  // namespace dynid
