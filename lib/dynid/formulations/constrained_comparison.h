#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Result of a solver of constrained motion for a state, on the constraint that the state obeys by
/// construction plus a redundant row: [ddq, A^T lambda], as Computes::kAccelerations requires. For
/// a robot with loops the constraint is their closure in the cut-open tree, and the result is ddq
/// only.
Eigen::MatrixXd compareConstrained(const Robot& robot,
                                   const FormulationState& state,
                                   ConstrainedMotion (*solve)(const ConstrainedSystem&));

/// The entry of such a solver in the table of formulations.
Formulation constrainedFormulation(const std::string& name,
                                   const std::string& what,
                                   Eigen::MatrixXd (*evaluate)(const Robot&,
                                                               const FormulationState&));

}  // namespace dynid
