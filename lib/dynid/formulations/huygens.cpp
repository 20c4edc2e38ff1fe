#include "dynid/formulations/huygens.h"

#include "dynid/formulations/energies.h"
#include "dynid/formulations/motion_window.h"
#include "dynid/formulations/suitability.h"

namespace dynid {

Eigen::RowVectorXd energyRow(const Robot& robot,
                             const Eigen::VectorXd& q,
                             const Eigen::VectorXd& dq) {
  const EnergyRows<double> energy = energyRows<double>(robot, q, dq);
  return energy.kinetic + energy.potential;
}

Eigen::RowVectorXd powerRow(const Robot& robot,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq) {
  const EnergyRows<Dual1> energy = energyRows<Dual1>(robot, alongTime(q, dq), alongTime(dq, ddq));
  Eigen::RowVectorXd row(energy.kinetic.size());
  for (Eigen::Index c = 0; c < row.size(); ++c)
    row(c) = energy.kinetic(c).slope + energy.potential(c).slope;
  return row;
}

Formulation huygensFormulation() {
  return {"huygens",
          Computes::kIdentity,
          "power balance: d(K + V)/dt = dq.tau",
          kRoundingTolerance,
          kRoundingReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            const double rate = powerRow(robot, s.q, s.dq, s.ddq) * s.pi;
            return Eigen::MatrixXd::Constant(
                1, 1, (rate - s.dq.dot(s.tau)) / s.dq.cwiseProduct(s.tau).cwiseAbs().sum());
          }};
}

Formulation energyWindowFormulation() {
  return {"energy-window",
          Computes::kIdentity,
          "E(t1) - E(t0) = int dq.tau dt over 20 ms",
          kQuadratureTolerance,
          kQuadratureReason,
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) -> Eigen::MatrixXd {
            double work = 0.0, flow = 0.0;
            forEachNode(robot, s, [&](double weight, const FormulationState& at) {
              work += weight * at.dq.dot(at.tau);
              flow += weight * at.dq.cwiseProduct(at.tau).cwiseAbs().sum();
            });
            const FormulationState last = stateAt(robot, s, kWindowSeconds);
            const double gained =
                (energyRow(robot, last.q, last.dq) - energyRow(robot, s.q, s.dq)) * s.pi;
            return Eigen::MatrixXd::Constant(1, 1, (gained - work) / flow);
          }};
}

}  // namespace dynid
