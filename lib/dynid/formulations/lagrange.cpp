#include "dynid/formulations/lagrange.h"

#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::MatrixXd lagrangeRegressor(const Robot& robot,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq) {
  const Eigen::Index n = robot.numJoints(), columns = Eigen::Index{10} * robot.numBodies();
  Eigen::MatrixXd Y(n, columns);
  VectorX<Dual2> position(n), velocity(n);  // slope of the value: f; outer slope: e
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const double u = i == j ? 1.0 : 0.0;
      position(i) = Dual2(Dual1(q(i)), Dual1(dq(i), -u));
      velocity(i) = Dual2(Dual1(dq(i), u), Dual1(ddq(i)));
    }
    const EnergyRows<Dual2> energy = energyRows<Dual2>(robot, position, velocity);
    for (Eigen::Index c = 0; c < columns; ++c)
      Y(j, c) = energy.kinetic(c).slope.slope - energy.potential(c).slope.slope;
  }
  return Y;
}

Formulation lagrangeFormulation() {
  return {"lagrange",
          Computes::kRegressor,
          "d/dt dL/d(dq) - dL/dq, the energies differentiated automatically",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            return lagrangeRegressor(robot, s.q, s.dq, s.ddq);
          }};
}

}  // namespace dynid
