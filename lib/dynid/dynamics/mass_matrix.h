#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Jacobian of a body: (v of its origin, w) in its own frame = J dq; [6 x joints].
using BodyJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Jacobians of all bodies at q. A mimicking body stands in the column of its master.
std::vector<BodyJacobian> bodyJacobians(const Robot& robot, const Eigen::VectorXd& q);

/// Mass matrix of the rigid bodies, joint side: M = sum_k J_k^T [m 1, -[h]x; [h]x, I]_k J_k.
/// [joints x joints]
///
/// Symmetric; positive definite if every body is physically possible and every joint moves mass.
/// @param pi  [10 bodies]
/// @throws std::invalid_argument on a wrong size.
Eigen::MatrixXd massMatrix(const Robot& robot, const Eigen::VectorXd& pi, const Eigen::VectorXd& q);

/// Mass matrix in the actuators' coordinate with the drives: T^T M T + diag(drive_inertia).
/// @param drive_inertia  [actuators] kg m^2 or kg; empty: none
Eigen::MatrixXd actuatorMassMatrix(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& drive_inertia,
                                   const Eigen::VectorXd& q);

/// Velocity coupling and gravity, joint side: inverse dynamics at ddq = 0.
Eigen::VectorXd biasForces(const Robot& robot,
                           const Eigen::VectorXd& pi,
                           const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq);

/// Result of forwardDynamics.
struct ForwardDynamics {
  bool solved = false;
  std::string reason;  ///< why not
  double smallest_pivot =
      0;  ///< of LDL^T of the mass matrix; <= 0: the parameters belong to no real robot
  Eigen::VectorXd ddq;  ///< [joints]; NaN where not solved
};

/// Joint accelerations under joint efforts tau (after friction), drives included:
/// (M + T^-T diag(drive_inertia) T^-1) ddq = tau - bias. By LDL^T.
ForwardDynamics forwardDynamics(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& drive_inertia,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& tau);

/// Energies [J]. dE/dt = dq^T tau, where tau excludes friction.
struct Energy {
  double kinetic = 0.0;    ///< bodies and drives
  double potential = 0.0;  ///< of gravity; zero for all mass at the root's origin
  double total() const { return kinetic + potential; }
};
Energy energy(const Robot& robot,
              const Eigen::VectorXd& pi,
              const Eigen::VectorXd& drive_inertia,
              const Eigen::VectorXd& q,
              const Eigen::VectorXd& dq);

}  // namespace dynid
