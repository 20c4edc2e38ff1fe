#include "dynid/formulations/embedded.h"

#include "dynid/formulations/constrained_comparison.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

namespace dynid {

ConstrainedMotion embedded(const ConstrainedSystem& system) {
  system.check();
  const IndependentConstraints constraints = independentConstraints(system.A, system.b);
  if (!constraints.consistent) return notSolved(system, constraints.reason);
  const Eigen::Index n = system.M.rows(), m = constraints.A.rows();
  Eigen::VectorXi order = Eigen::VectorXi::LinSpaced(n, 0, static_cast<int>(n) - 1);
  if (m > 0)
    order = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(constraints.A).colsPermutation().indices();
  const Eigen::VectorXi dependent = order.head(m), independent = order.tail(n - m);
  Eigen::PartialPivLU<Eigen::MatrixXd> A_d;
  Eigen::MatrixXd E = Eigen::MatrixXd::Zero(n, n - m);
  Eigen::VectorXd e = Eigen::VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < n - m; ++i) E(independent(i), i) = 1.0;
  if (m > 0) {
    A_d.compute(constraints.A(Eigen::all, dependent));
    if (n > m) E(dependent, Eigen::all) = -A_d.solve(constraints.A(Eigen::all, independent)).eval();
    e(dependent) = A_d.solve(constraints.b).eval();
  }
  Eigen::VectorXd ddq = e;
  if (n > m) {
    const Eigen::MatrixXd reduced = E.transpose() * system.M * E;
    const Eigen::LLT<Eigen::MatrixXd> mass(reduced);
    if (mass.info() != Eigen::Success) return notSolved(system, kMassMatrixReason);
    ddq += E * mass.solve(E.transpose() * (system.tau - system.bias - system.M * e));
  }
  const Eigen::VectorXd force = system.M * ddq + system.bias - system.tau;
  Eigen::VectorXd lambda(m);
  if (m > 0) lambda = A_d.transpose().solve(force(dependent).eval());
  return {true,
          constraints.reason,
          ddq,
          allMultipliers(constraints, lambda, system.A.rows()),
          static_cast<int>(m)};
}

Formulation embeddedFormulation() {
  return constrainedFormulation("embedded",
                                "dependent coordinates eliminated",
                                [](const Robot& robot, const FormulationState& state) {
                                  return compareConstrained(robot, state, embedded);
                                });
}

}  // namespace dynid
