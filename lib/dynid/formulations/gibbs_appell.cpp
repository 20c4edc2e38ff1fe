#include "dynid/formulations/gibbs_appell.h"

#include "dynid/formulations/acceleration_energy.h"
#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::MatrixXd gibbsAppellRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq) {
  const Eigen::Index n = robot.numJoints(), columns = Eigen::Index{10} * robot.numBodies();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  const VectorX<Dual1> position = alongTime(q, zero), velocity = alongTime(dq, zero);
  Eigen::MatrixXd Y(n, columns);
  for (Eigen::Index j = 0; j < n; ++j) {
    const RowVectorX<Dual1> S =
        accelerationEnergyRows<Dual1>(robot, position, velocity, alongEntry(ddq, j));
    for (Eigen::Index c = 0; c < columns; ++c) Y(j, c) = S(c).slope;
  }
  return Y;
}

Formulation gibbsAppellFormulation() {
  return {"gibbs-appell",
          Computes::kRegressor,
          "dS/d(ddq) of the acceleration energy",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            return gibbsAppellRegressor(robot, s.q, s.dq, s.ddq);
          }};
}

}  // namespace dynid
