#include "dynid/formulations/projected.h"

#include "dynid/formulations/constrained_comparison.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>

namespace dynid {

ConstrainedMotion projected(const ConstrainedSystem& system) {
  system.check();
  const IndependentConstraints constraints = independentConstraints(system.A, system.b);
  if (!constraints.consistent) return notSolved(system, constraints.reason);
  const Eigen::Index n = system.M.rows(), m = system.A.rows();
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
  Eigen::JacobiSVD<Eigen::MatrixXd> svd;
  svd.setThreshold(kConstraintRank);
  if (m > 0) {
    svd.compute(system.A, Eigen::ComputeFullV | Eigen::ComputeFullU);
    N = svd.matrixV().rightCols(n - svd.rank());
    start = svd.solve(system.b);
  }
  ConstrainedMotion motion{true, constraints.reason, start, Eigen::VectorXd::Zero(m), 0};
  motion.rank = static_cast<int>(n - N.cols());
  const Eigen::MatrixXd reduced = N.transpose() * system.M * N;
  const Eigen::LLT<Eigen::MatrixXd> mass(reduced);
  if (N.cols() > 0) {
    if (mass.info() != Eigen::Success) return notSolved(system, kMassMatrixReason);
    motion.ddq += N * mass.solve(N.transpose() * (system.tau - system.bias - system.M * start));
  }
  if (m > 0) {  // A^T lambda = force with force in the range of A^T; (A^T)^+ = U S^+ V^T
    const Eigen::VectorXd force = system.M * motion.ddq + system.bias - system.tau;
    const Eigen::Index r = svd.rank();
    motion.lambda =
        svd.matrixU().leftCols(r) *
        (svd.matrixV().leftCols(r).transpose() * force).cwiseQuotient(svd.singularValues().head(r));
  }
  return motion;
}

Formulation projectedFormulation() {
  return constrainedFormulation("projected",
                                "null space of the constraint, orthonormal",
                                [](const Robot& robot, const FormulationState& state) {
                                  return compareConstrained(robot, state, projected);
                                });
}

}  // namespace dynid
