#include "dynid/formulations/direct.h"

#include "dynid/formulations/constrained_comparison.h"

#include <Eigen/Cholesky>

namespace dynid {

ConstrainedMotion direct(const ConstrainedSystem& system) {
  system.check();
  const IndependentConstraints constraints = independentConstraints(system.A, system.b);
  if (!constraints.consistent) return notSolved(system, constraints.reason);
  const Eigen::LLT<Eigen::MatrixXd> mass(system.M);
  if (mass.info() != Eigen::Success) return notSolved(system, kMassMatrixReason);
  const Eigen::VectorXd a = mass.solve(system.tau - system.bias);
  const Eigen::MatrixXd A_t = constraints.A.transpose();
  Eigen::VectorXd lambda(A_t.cols());
  if (A_t.cols() > 0) {
    const Eigen::MatrixXd half = mass.matrixL().solve(A_t);  // A M^-1 A^T = half^T half
    const Eigen::MatrixXd reduced = half.transpose() * half;
    lambda = reduced.llt().solve(constraints.b - constraints.A * a);
  }
  return {true,
          constraints.reason,
          a + mass.solve(A_t * lambda),
          allMultipliers(constraints, lambda, system.A.rows()),
          static_cast<int>(constraints.A.rows())};
}

Formulation directFormulation() {
  return constrainedFormulation("direct",
                                "multipliers from A M^-1 A^T, then the accelerations",
                                [](const Robot& robot, const FormulationState& state) {
                                  return compareConstrained(robot, state, direct);
                                });
}

}  // namespace dynid
