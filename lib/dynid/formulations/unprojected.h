#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Measured motion of a body, as an inertial sensor at its frame's origin measures it, in body
/// axes.
struct SensedMotion {
  Eigen::Vector3d w;   ///< angular velocity [rad/s]
  Eigen::Vector3d wd;  ///< its derivative [rad/s^2]
  Eigen::Vector3d a;   ///< proper acceleration of the origin: dv/dt - g [m/s^2]
};

/// The equations of motion of a body and of all bodies that it carries, not projected onto joints:
/// the wrench (f, n) on them, about the body's origin and in its axes, linear in their parameters,
///
///     wrench = A(w, wd, a) pi + sum over carried bodies k of X_k A_k(w_k, wd_k, a_k) pi_k
///
/// X_k transforms a wrench from the frame of body k. The equations do not depend on the rest of the
/// robot; the motion of the carried bodies relative to the body is given by their joints. A loop
/// from the carried bodies to the rest of the robot is not allowed, because the force in its cut
/// joint would be missing.
///
/// @param body        -1: the root link, with all bodies of the robot
/// @param motion      of the body
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2; only the joints of carried bodies are used
/// @returns [6 x 10 bodies]
Eigen::MatrixXd carriedWrenchRows(const Robot& robot,
                                  int body,
                                  const SensedMotion& motion,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq);

/// Equations of a robot whose base moves as given (without the inertia of the root link).
struct MovingBaseRows {
  Eigen::MatrixXd base;  ///< [6 x 10 bodies] wrench on the root link, see carriedWrenchRows
  /// [joints x 10 bodies] joint efforts, J^T times the same body equations
  Eigen::MatrixXd joints;
};
MovingBaseRows movingBaseRows(const Robot& robot,
                              const SensedMotion& base,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq);

/// Name of a loop with one end on this body or a body that it carries, and the other end elsewhere;
/// "" if there is none.
std::string loopAcross(const Robot& robot, int body);

/// Whether this body carries a body that moves relative to it.
bool carriesBodies(const Robot& robot, int body);

}  // namespace dynid
