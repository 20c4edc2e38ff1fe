#include "dynid/formulations/maggi.h"

#include "dynid/formulations/constrained_comparison.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <stdexcept>

namespace dynid {

MaggiProjector maggiProjector(const Eigen::MatrixXd& A, Eigen::Index joints) {
  const Eigen::Index m = A.rows();
  if (m > joints)
    throw std::invalid_argument(std::to_string(m) + " constraints on " + std::to_string(joints) +
                                " joints; expected independent ones");
  Eigen::VectorXi order = Eigen::VectorXi::LinSpaced(joints, 0, static_cast<int>(joints) - 1);
  if (m > 0) order = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(A).colsPermutation().indices();
  MaggiProjector projector;
  projector.free_joints.assign(order.begin() + m, order.end());
  std::sort(projector.free_joints.begin(), projector.free_joints.end());
  Eigen::MatrixXd quasi = Eigen::MatrixXd::Zero(joints, joints);
  if (m > 0) quasi.topRows(m) = A;
  for (Eigen::Index i = m; i < joints; ++i) quasi(i, projector.free_joints[i - m]) = 1.0;
  const Eigen::MatrixXd inverse = quasi.fullPivLu().inverse();
  projector.Q = inverse.leftCols(m);
  projector.N = inverse.rightCols(joints - m);
  return projector;
}

ConstrainedMotion maggi(const ConstrainedSystem& system) {
  system.check();
  const IndependentConstraints constraints = independentConstraints(system.A, system.b);
  if (!constraints.consistent) return notSolved(system, constraints.reason);
  const MaggiProjector P = maggiProjector(constraints.A, system.M.rows());
  const Eigen::VectorXd fixed = P.Q * constraints.b;
  const Eigen::MatrixXd reduced = P.N.transpose() * system.M * P.N;
  const Eigen::LLT<Eigen::MatrixXd> mass(reduced);
  Eigen::VectorXd ddq = fixed;
  if (P.N.cols() > 0) {
    if (mass.info() != Eigen::Success) return notSolved(system, kMassMatrixReason);
    ddq += P.N * mass.solve(P.N.transpose() * (system.tau - system.bias - system.M * fixed));
  }
  // lambda from A^T lambda = M ddq + bias - tau, using Q^T A^T = 1.
  const Eigen::VectorXd lambda = P.Q.transpose() * (system.M * ddq + system.bias - system.tau);
  return {true,
          constraints.reason,
          ddq,
          allMultipliers(constraints, lambda, system.A.rows()),
          static_cast<int>(constraints.A.rows())};
}

Formulation maggiFormulation() {
  return constrainedFormulation(
      "maggi",
      "equations projected on free quasi-velocities, N^T (M ddq + bias - tau) = 0",
      [](const Robot& robot, const FormulationState& state) {
        return compareConstrained(robot, state, maggi);
      });
}

}  // namespace dynid
