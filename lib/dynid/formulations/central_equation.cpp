#include "dynid/formulations/central_equation.h"

#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::RowVectorXd centralEquationRow(const Robot& robot,
                                      const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& dq,
                                      const Eigen::VectorXd& ddq,
                                      const Eigen::VectorXd& eta,
                                      const Eigen::VectorXd& deta) {
  // Outer slope: time; slope of the value: variation
  VectorX<Dual2> position(q.size()), velocity(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    position(i) = Dual2(Dual1(q(i)), Dual1(dq(i)));
    velocity(i) = Dual2(Dual1(dq(i), eta(i)), Dual1(ddq(i), deta(i)));
  }
  const EnergyRows<Dual2> along = energyRows<Dual2>(robot, position, velocity);
  const EnergyRows<Dual1> varied = energyRows<Dual1>(robot, alongTime(q, eta), alongTime(dq, deta));
  Eigen::RowVectorXd row(Eigen::Index{10} * robot.numBodies());
  for (Eigen::Index c = 0; c < row.size(); ++c)
    row(c) = along.kinetic(c).slope.slope - varied.kinetic(c).slope + varied.potential(c).slope;
  return row;
}

Formulation centralEquationFormulation() {
  return {"central-equation",
          Computes::kIdentity,
          "d/dt (dK/d(dq) . variation) = variation of K + virtual work",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            // The equation holds for every variation; these two vectors are random and not
            // parallel.
            const Eigen::VectorXd eta = s.dddq.normalized(), deta = s.ddq.normalized();
            const double left = centralEquationRow(robot, s.q, s.dq, s.ddq, eta, deta) * s.pi;
            return Eigen::MatrixXd::Constant(
                1, 1, (left - s.tau.dot(eta)) / s.tau.cwiseProduct(eta).cwiseAbs().sum());
          }};
}

}  // namespace dynid
