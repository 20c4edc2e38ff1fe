#include "dynid/formulations/projection_method.h"

#include "dynid/dynamics/projection.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::MatrixXd projectionRegressor(const Robot& robot,
                                    const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& dq,
                                    const Eigen::VectorXd& ddq) {
  // The shared pointer does not own the robot: the regressor exists only during this call.
  return ProjectionRegressor(std::shared_ptr<const Robot>(&robot, [](const Robot*) {}))
      .dense(q, dq, ddq);
}

Formulation projectionFormulation() {
  return {"projection",
          Computes::kRegressor,
          "sum of J^T A, body equations projected onto the joints",
          0.0,
          "the reference itself",
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            return projectionRegressor(robot, s.q, s.dq, s.ddq);
          }};
}

}  // namespace dynid
