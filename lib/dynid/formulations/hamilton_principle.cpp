#include "dynid/formulations/hamilton_principle.h"

#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

Eigen::MatrixXd rowsAround(const Robot& robot, const FormulationState& s, double h) {
  const Eigen::VectorXd bend = 0.5 * h * h * s.ddq;
  return discreteEulerLagrangeRows(robot, s.q - h * s.dq + bend, s.q, s.q + h * s.dq + bend, h);
}

// Richardson extrapolation from the steps h, h/2, ...; the error is a power series in h^2.
Eigen::MatrixXd extrapolated(const Robot& robot, const FormulationState& s, double h) {
  constexpr size_t kSteps = 4;
  std::vector<Eigen::MatrixXd> column;
  for (size_t i = 0; i < kSteps; ++i, h /= 2) {
    column.push_back(rowsAround(robot, s, h));
    double power = 4.0;
    for (size_t j = i; j-- > 0; power *= 4.0)
      column[j] = column[j + 1] + (column[j + 1] - column[j]) / (power - 1.0);
  }
  return column.front();
}

}  // namespace

Eigen::MatrixXd discreteGradient(
    const Robot& robot, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, double h, int end) {
  const Eigen::Index n = q0.size(), columns = Eigen::Index{10} * robot.numBodies();
  const Eigen::VectorXd middle = 0.5 * (q0 + q1), rate = (q1 - q0) / h;
  Eigen::MatrixXd gradient(n, columns);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, j);
    const EnergyRows<Dual1> energy = energyRows<Dual1>(
        robot, alongTime(middle, 0.5 * unit), alongTime(rate, (end == 0 ? -1.0 : 1.0) / h * unit));
    for (Eigen::Index c = 0; c < columns; ++c)
      gradient(j, c) = energy.kinetic(c).slope - energy.potential(c).slope;
  }
  return gradient;
}

Eigen::MatrixXd discreteEulerLagrangeRows(const Robot& robot,
                                          const Eigen::VectorXd& q0,
                                          const Eigen::VectorXd& q1,
                                          const Eigen::VectorXd& q2,
                                          double h) {
  if (!(h > 0.0))
    throw std::invalid_argument("discreteEulerLagrangeRows: the step is " + std::to_string(h) +
                                " s; expected a positive one");
  return -(discreteGradient(robot, q0, q1, h, 1) + discreteGradient(robot, q1, q2, h, 0));
}

Formulation hamiltonPrincipleFormulation() {
  return {"hamilton-principle",
          Computes::kRegressor,
          "discrete Euler-Lagrange rows from three positions, extrapolated from steps h ... h/8",
          1e-8,
          "second order in h; three extrapolations leave h^8 and rounding over h^2",
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            // Step in which a chain of joints turns by about a tenth of a radian.
            const double rate = s.dq.norm() + std::sqrt(s.ddq.norm());
            return extrapolated(robot, s, 0.2 / (1.0 + rate));
          }};
}

}  // namespace dynid
