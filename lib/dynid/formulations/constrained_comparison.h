#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// A solver of constrained motion, on the constraint that the state obeys by construction (together
/// with a redundant row): [ddq, A^T lambda] as Computes::kAccelerations asks for. Of a robot with
/// loops: on these, in its cut-open tree; ddq only.
Eigen::MatrixXd compareConstrained(const Robot& robot,
                                   const FormulationState& state,
                                   ConstrainedMotion (*solve)(const ConstrainedSystem&));

/// Its entry in the table.
Formulation constrainedFormulation(const std::string& name,
                                   const std::string& what,
                                   Eigen::MatrixXd (*evaluate)(const Robot&,
                                                               const FormulationState&));

}  // namespace dynid
