#include "dynid/formulations/higher_order_acceleration_energy.h"

#include "dynid/formulations/acceleration_energy.h"
#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::MatrixXd higherOrderRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq,
                                     const Eigen::VectorXd& dddq) {
  const Eigen::Index n = robot.numJoints(), columns = Eigen::Index{10} * robot.numBodies();
  // Outer slope: time; slope of the slope: jerk
  VectorX<Dual2> position(n), velocity(n), acceleration(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    position(i) = Dual2(Dual1(q(i)), Dual1(dq(i)));
    velocity(i) = Dual2(Dual1(dq(i)), Dual1(ddq(i)));
  }
  Eigen::MatrixXd Y(n, columns);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < n; ++i)
      acceleration(i) = Dual2(Dual1(ddq(i)), Dual1(dddq(i), i == j ? 1.0 : 0.0));
    const RowVectorX<Dual2> S =
        accelerationEnergyRows<Dual2>(robot, position, velocity, acceleration);
    for (Eigen::Index c = 0; c < columns; ++c) Y(j, c) = S(c).slope.slope;
  }
  return Y;
}

Formulation higherOrderFormulation() {
  return {"higher-order-acceleration-energy",
          Computes::kRegressor,
          "rate of the acceleration energy, differentiated by the jerk",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            return higherOrderRegressor(robot, s.q, s.dq, s.ddq, s.dddq);
          }};
}

}  // namespace dynid
