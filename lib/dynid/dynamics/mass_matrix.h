#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Jacobian of a body, [6 x joints]: (v of its origin, w), expressed in the body's frame, = J dq.
using BodyJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Jacobians of all bodies at q [joints]. The motion of a body on a mimic joint is in the column of
/// the joint that it mimics.
/// @throws std::invalid_argument for a wrong size; InputError if a loop does not close
std::vector<BodyJacobian> bodyJacobians(const Robot& robot, const Eigen::VectorXd& q);

/// Mass matrix of the rigid bodies on the joint side, [joints x joints]:
///
///     M = sum_k J_k^T [m 1, -[h]x; [h]x, I]_k J_k
///
/// M is symmetric; it is positive definite if every body is physically possible and every joint
/// moves mass.
/// @param pi  [10 bodies] inertial parameters, body by body
/// @param q   [joints] rad or m
/// @throws std::invalid_argument for a wrong size; InputError if a loop does not close
Eigen::MatrixXd massMatrix(const Robot& robot, const Eigen::VectorXd& pi, const Eigen::VectorXd& q);

/// Mass matrix in actuator coordinates including the drives: T^T M T + diag(drive_inertia), where
/// dq_joint = T dq_actuator.
/// @param drive_inertia  [actuators] kg m^2 or kg; empty: none
/// @throws as massMatrix
Eigen::MatrixXd actuatorMassMatrix(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& drive_inertia,
                                   const Eigen::VectorXd& q);

/// Coriolis, centrifugal and gravity efforts on the joint side: inverse dynamics at ddq = 0.
/// [joints] N m or N
/// @throws as inverseDynamics
Eigen::VectorXd biasForces(const Robot& robot,
                           const Eigen::VectorXd& pi,
                           const Eigen::VectorXd& q,
                           const Eigen::VectorXd& dq);

/// Result of forwardDynamics.
struct ForwardDynamics {
  bool solved = false;  ///< whether `ddq` is valid
  /// Why it was not solved; empty if solved.
  std::string reason;
  /// Smallest pivot of LDL^T of the mass matrix; not positive: no real robot has these parameters.
  double smallest_pivot = 0;
  Eigen::VectorXd ddq;  ///< [joints] rad/s^2 or m/s^2; NaN if not solved
};

/// Joint accelerations for joint efforts tau (friction already subtracted), including the drives:
/// (M + T^-T diag(drive_inertia) T^-1) ddq = tau - bias, solved by LDL^T. NaN and infinite numbers
/// are not solved.
/// @throws as massMatrix
ForwardDynamics forwardDynamics(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& drive_inertia,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& tau);

/// Energies [J]. dE/dt = dq^T tau, where tau does not include friction.
/// @param pi, drive_inertia, q, dq  as in the functions above
/// @throws as massMatrix
struct Energy {
  double kinetic = 0.0;    ///< bodies and drives
  double potential = 0.0;  ///< of gravity; zero if all mass is at the root link's origin
  double total() const { return kinetic + potential; }
};
Energy energy(const Robot& robot,
              const Eigen::VectorXd& pi,
              const Eigen::VectorXd& drive_inertia,
              const Eigen::VectorXd& q,
              const Eigen::VectorXd& dq);

}  // namespace dynid
