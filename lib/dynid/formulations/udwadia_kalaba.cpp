#include "dynid/formulations/udwadia_kalaba.h"

#include "dynid/formulations/constrained_comparison.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace dynid {

ConstrainedMotion udwadiaKalaba(const ConstrainedSystem& system) {
  system.check();
  const IndependentConstraints constraints = independentConstraints(system.A, system.b);
  if (!constraints.consistent) return notSolved(system, constraints.reason);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> mass(system.M);
  if (mass.info() != Eigen::Success || !(mass.eigenvalues()(0) > 0.0))
    return notSolved(system, kMassMatrixReason);
  const Eigen::MatrixXd root_inverse = mass.operatorInverseSqrt();
  const Eigen::VectorXd a = root_inverse * (root_inverse * (system.tau - system.bias));
  ConstrainedMotion motion{true, constraints.reason, a, Eigen::VectorXd::Zero(system.A.rows()), 0};
  if (system.A.rows() == 0) return motion;
  const Eigen::MatrixXd B = system.A * root_inverse;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(B, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kConstraintRank);
  motion.rank = static_cast<int>(svd.rank());
  motion.ddq += root_inverse * svd.solve(system.b - system.A * a);
  // lambda = (B B^T)^+ (b - A a) with B = A M^(-1/2).
  const Eigen::MatrixXd U = svd.matrixU().leftCols(svd.rank());
  motion.lambda = U * (U.transpose() * (system.b - system.A * a))
                          .cwiseQuotient(svd.singularValues().head(svd.rank()).cwiseAbs2());
  return motion;
}

Formulation udwadiaKalabaFormulation() {
  return constrainedFormulation("udwadia-kalaba",
                                "pseudo-inverse of A M^(-1/2)",
                                [](const Robot& robot, const FormulationState& state) {
                                  return compareConstrained(robot, state, udwadiaKalaba);
                                });
}

}  // namespace dynid
