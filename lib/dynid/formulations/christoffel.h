#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// The velocity coupling factorised by Christoffel's symbols, c = S dq:
///
///     S_kj = sum_i c_kji dq_i,   c_kji = 1/2 (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k)
///
/// Of all S with S dq = c it is the one for which dM/dt - 2 S is skew symmetric. The derivatives of
/// M are automatic.
///
/// @param pi  [10 bodies]
/// @returns S [joints x joints]
///
/// Source: De Luca, "Dynamic model of robots: Lagrangian approach".
Eigen::MatrixXd christoffelMatrix(const Robot& robot,
                                  const Eigen::VectorXd& pi,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq);

/// How far a model is from two properties that hold for every robot, relative to the terms (norms):
/// N + N^T = 0, N = dM/dt - 2 S; and S dq + g = inverseDynamics at ddq = 0, g from the recursion at
/// rest.
struct SkewSymmetry {
  double asymmetry = 0.0;
  double coupling_error = 0.0;
};
SkewSymmetry skewSymmetry(const Robot& robot,
                          const Eigen::VectorXd& pi,
                          const Eigen::VectorXd& q,
                          const Eigen::VectorXd& dq);

}  // namespace dynid
