#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// Measured motion of a body: what an inertial sensor at its frame's origin says, body axes.
struct SensedMotion {
  Eigen::Vector3d w;   ///< angular velocity [rad/s]
  Eigen::Vector3d wd;  ///< its derivative [rad/s^2]
  Eigen::Vector3d a;   ///< proper acceleration of the origin: dv/dt - g [m/s^2]
};

/// The body equation itself, not projected onto joints: the wrench (f, n) on a body and all the
/// bodies that it carries, about the body's origin, in its axes, linear in their parameters,
///
///     wrench = A(w, wd, a) pi + sum over carried bodies k of X_k A_k(w_k, wd_k, a_k) pi_k
///
/// independent of the rest of the robot. The carried bodies move relative to it by their joints. No
/// loop may lead from them to the rest: its cut joint would push there too.
///
/// @param body        -1: the root link, with all bodies on it
/// @param q, dq, ddq  [joints]; only those of carried bodies matter
/// @returns [6 x 10 bodies]
///
/// Source: "Other methods for derivation of systems dynamics", projection method, before the
/// projection.
Eigen::MatrixXd carriedWrenchRows(const Robot& robot,
                                  int body,
                                  const SensedMotion& motion,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq);

/// Equations of a robot whose base moves as `base` says (the root link's own inertia apart).
struct MovingBaseRows {
  Eigen::MatrixXd base;    ///< [6 x 10 bodies] wrench on the root link: carriedWrenchRows
  Eigen::MatrixXd joints;  ///< [joints x 10 bodies] efforts, J^T of the same body equations
};
MovingBaseRows movingBaseRows(const Robot& robot,
                              const SensedMotion& base,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq);

/// Name of a loop with one end on this body or what it carries and the other elsewhere; "": none.
std::string loopAcross(const Robot& robot, int body);

/// Whether some body moves relative to this one and is carried by it.
bool carriesBodies(const Robot& robot, int body);

}  // namespace dynid
