#include "dynid/formulations/christoffel.h"

#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/formulations/hamilton.h"

namespace dynid {

Eigen::MatrixXd christoffelMatrix(const Robot& robot,
                                  const Eigen::VectorXd& pi,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq) {
  const Eigen::Index n = q.size();
  // Column i is dM/dq_i dq, so that sum_i dM_ki/dq_j dq_i = turned(k, j).
  Eigen::MatrixXd turned(n, n), rate = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::MatrixXd dM = massMatrixAlong(robot, pi, q, Eigen::VectorXd::Unit(n, i)).dM;
    rate += dM * dq(i);
    turned.col(i) = dM * dq;
  }
  return 0.5 * (rate + turned - turned.transpose());
}

SkewSymmetry skewSymmetry(const Robot& robot,
                          const Eigen::VectorXd& pi,
                          const Eigen::VectorXd& q,
                          const Eigen::VectorXd& dq) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q.size());
  const Eigen::MatrixXd S = christoffelMatrix(robot, pi, q, dq);
  const auto [M, dM] = massMatrixAlong(robot, pi, q, dq);
  const Eigen::MatrixXd N = dM - 2.0 * S;
  // Where the terms of the links cancel, as in a gripper whose fingers move in parallel, only
  // rounding errors of the size of M dq are left.
  const double momentum = M.norm() * dq.norm();
  const double terms = dM.norm() + S.norm() + momentum;
  const Eigen::VectorXd all = inverseDynamics(robot, pi, q, dq, zero);
  const Eigen::VectorXd gravity = inverseDynamics(robot, pi, q, zero, zero);
  const double effort = all.norm() + gravity.norm() + momentum * dq.norm();
  SkewSymmetry result;  // NaN if all parameters are zero
  if (terms != 0.0) result.asymmetry = (N + N.transpose()).norm() / terms;
  if (effort != 0.0) result.coupling_error = (S * dq + gravity - all).norm() / effort;
  return result;
}

}  // namespace dynid
