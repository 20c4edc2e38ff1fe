#include "dynid/formulations/newton_euler_recursion.h"

#include "dynid/dynamics/newton_euler.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::MatrixXd newtonEulerRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq) {
  const Eigen::Index columns = Eigen::Index{10} * robot.numBodies();
  Eigen::MatrixXd Y(robot.numJoints(), columns);
  NewtonEulerScratch<double> scratch;
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(columns), tau;
  for (Eigen::Index c = 0; c < columns; ++c) {
    pi(c) = 1.0;
    inverseDynamics<double>(robot, pi, q, dq, ddq, scratch, tau);
    Y.col(c) = tau;
    pi(c) = 0.0;
  }
  return Y;
}

Formulation newtonEulerFormulation() {
  return {"newton-euler",
          Computes::kRegressor,
          "two-way recursion: motion outward, wrenches inward",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            return newtonEulerRegressor(robot, s.q, s.dq, s.ddq);
          }};
}

}  // namespace dynid
