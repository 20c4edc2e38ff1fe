#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// Coriolis and centrifugal efforts factorised by Christoffel symbols, c = S dq:
///
///     S_kj = sum_i c_kji dq_i,   c_kji = 1/2 (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k)
///
/// Among all S with S dq = c, dM/dt - 2 S is skew symmetric for this one. The derivatives of M are
/// computed by automatic differentiation.
///
/// @param pi  [10 bodies]
/// @returns S [joints x joints]
///
/// Source: De Luca, "Dynamic model of robots: Lagrangian approach", lecture notes Robotics 2,
/// Sapienza University of Rome.
Eigen::MatrixXd christoffelMatrix(const Robot& robot,
                                  const Eigen::VectorXd& pi,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq);

/// Relative errors of a model in two properties that hold for every robot: N + N^T = 0 with N =
/// dM/dt - 2 S, and S dq + g = inverse dynamics at ddq = 0, where g is the inverse dynamics at
/// rest. The errors are norms relative to the norms of the terms, M dq and M dq dq among them; they
/// are NaN if all terms are zero.
struct SkewSymmetry {
  double asymmetry = 0.0;
  double coupling_error = 0.0;
};
SkewSymmetry skewSymmetry(const Robot& robot,
                          const Eigen::VectorXd& pi,
                          const Eigen::VectorXd& q,
                          const Eigen::VectorXd& dq);

}  // namespace dynid
