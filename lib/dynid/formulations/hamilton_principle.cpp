#include "dynid/formulations/hamilton_principle.h"

#include "dynid/formulations/energies.h"
#include "dynid/formulations/suitability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dynid {
namespace {

Eigen::MatrixXd rowsAround(const Robot& robot, const FormulationState& s, double h) {
  const Eigen::VectorXd bend = 0.5 * h * h * s.ddq;
  return discreteEulerLagrangeRows(robot, s.q - h * s.dq + bend, s.q, s.q + h * s.dq + bend, h);
}

// Richardson extrapolation from the steps h, h/2, ...; the error is a power series in h^2. The
// extrapolation with the smallest difference to its neighbours is used, and the sequence ends where
// smaller steps only add rounding errors (Ridders 1982). A fixed number of steps is not sufficient
// near singular positions of closed chains, where the series converges for small steps only.
Eigen::MatrixXd extrapolated(const Robot& robot, const FormulationState& s, double h) {
  constexpr size_t kFewestSteps = 5, kMostSteps = 10;
  constexpr double kGrowing = 2.0;
  std::vector<Eigen::MatrixXd> coarser, column;
  Eigen::MatrixXd best;
  double best_error = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < kMostSteps; ++i, h /= 2) {
    column.assign(1, rowsAround(robot, s, h));
    if (i == 0) best = column.front();
    double power = 4.0, error = 0.0;
    for (size_t j = 1; j <= i; ++j, power *= 4.0) {
      column.push_back(column[j - 1] + (column[j - 1] - coarser[j - 1]) / (power - 1.0));
      error = std::max((column[j] - column[j - 1]).cwiseAbs().maxCoeff(),
                       (column[j] - coarser[j - 1]).cwiseAbs().maxCoeff());
      if (error > best_error) continue;
      best_error = error;
      best = column[j];
    }
    if (i + 1 >= kFewestSteps && error > kGrowing * best_error) break;
    coarser = std::move(column);
  }
  return best;
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
    throw std::invalid_argument("the step is " + std::to_string(h) + " s; expected a positive one");
  return -(discreteGradient(robot, q0, q1, h, 1) + discreteGradient(robot, q1, q2, h, 0));
}

Formulation hamiltonPrincipleFormulation() {
  return {"hamilton-principle",
          Computes::kRegressor,
          "discrete Euler-Lagrange rows from three positions, extrapolated from steps h, h/2, ...",
          1e-8,
          "second order in h; the extrapolation leaves rounding over h^2",
          false,
          suitsEveryRobot,
          [](const Robot& robot, const FormulationState& s) {
            // Step in which a chain of joints turns by about a tenth of a radian.
            const double rate = s.dq.norm() + std::sqrt(s.ddq.norm());
            return extrapolated(robot, s, 0.2 / (1.0 + rate));
          }};
}

}  // namespace dynid
