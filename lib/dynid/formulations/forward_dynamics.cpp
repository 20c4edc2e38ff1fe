#include "dynid/formulations/forward_dynamics.h"

#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Formulation forwardDynamicsFormulation() {
  return {"forward-dynamics",
          Computes::kAccelerations,
          "M^-1 (tau - bias), M from the body Jacobians",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            return forwardDynamics(robot, s.pi, Eigen::VectorXd(), s.q, s.dq, s.tau).ddq;
          }};
}

}  // namespace dynid
