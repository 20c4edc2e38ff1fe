#include "dynid/formulations/augmented.h"

#include "dynid/formulations/constrained_comparison.h"

#include <Eigen/LU>

namespace dynid {

ConstrainedMotion augmented(const ConstrainedSystem& system) {
  system.check();
  const IndependentConstraints constraints = independentConstraints(system.A, system.b);
  if (!constraints.consistent) return notSolved(system, constraints.reason);
  const Eigen::Index n = system.M.rows(), m = constraints.A.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = system.M;
  K.topRightCorner(n, m) = constraints.A.transpose();
  K.bottomLeftCorner(m, n) = constraints.A;
  Eigen::VectorXd right(n + m);
  right << system.tau - system.bias, constraints.b;
  const Eigen::FullPivLU<Eigen::MatrixXd> factor(K);
  if (!factor.isInvertible()) return notSolved(system, kMassMatrixReason);
  const Eigen::VectorXd solution = factor.solve(right);
  return {true,
          constraints.reason,
          solution.head(n),
          allMultipliers(constraints, -solution.tail(m), system.A.rows()),
          static_cast<int>(m)};
}

Formulation augmentedFormulation() {
  return constrainedFormulation("augmented",
                                "accelerations and multipliers in one linear system",
                                [](const Robot& robot, const FormulationState& state) {
                                  return compareConstrained(robot, state, augmented);
                                });
}

}  // namespace dynid
