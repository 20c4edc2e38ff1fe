#pragma once

#include "dynid/formulations/formulation.h"
#include "dynid/spatial/transform.h"

namespace dynid {

/// Motion of the root link of a floating base.
struct BaseMotion {
  Transform X_WB;      ///< pose of the root link in the world
  Eigen::Vector3d v;   ///< velocity of its origin, body axes [m/s]
  Eigen::Vector3d w;   ///< angular velocity, body axes [rad/s]
  Eigen::Vector3d dv;  ///< derivative of the components v (not of the vector) [m/s^2]
  Eigen::Vector3d dw;  ///< of the components w [rad/s^2]
};

/// Quasi-velocities of the base, and with them the axes and the point of its wrench (f, n).
enum class BaseFrame {
  kBody,   ///< Kirchhoff: left-invariant; body axes, moment about the base's origin
  kSpace,  ///< Newton-Euler: right-invariant; world axes, moment about the world's origin
  kHybrid  ///< force in world axes, moment about the base's origin in body axes
};
const char* toString(BaseFrame frame);

/// The six rows that a floating base adds: the wrench (f, n) that the ground exerts on it, linear
/// in the parameters of the root link (first ten columns) and of the bodies, [6 x 10 (1 + bodies)].
/// Each by its own equations of motion, from the momenta Q (linear) and G (angular) of the whole
/// robot, differentiated automatically along the motion, W the wrench of gravity:
///
///     body    dQ/dt + w x Q = f + W_f,   dG/dt + w x G + v x Q = n + W_n   (components in B)
///     space   dQ/dt = f + W_f,           dG/dt = n + W_n                   (components in W, about
///     Wo) hybrid  dQ/dt = f + W_f in W,      dG/dt + w x G + v x Q = n + W_n in B, about Bo
///
/// They are one equation in three quasi-velocities (Hamel-Boltzmann): wrenchTransform relates them
/// exactly. An unactuated base has zero wrench: identification rows too.
///
/// @param robot  with a fixed or floating base; its gravity is in the world's axes
/// @param q, dq, ddq  [joints]
///
/// Source: Massa and Vignolo, eqs. 14-19 and the hybrid formulation.
Eigen::MatrixXd baseWrenchRows(const Robot& robot,
                               const BaseMotion& base,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& ddq,
                               BaseFrame frame);

/// [6 x 6] that takes a wrench in body axes about Bo to another frame.
Eigen::Matrix<double, 6, 6> wrenchTransform(const Transform& X_WB, BaseFrame frame);

Formulation kirchhoffFormulation();
Formulation spaceFrameFormulation();
Formulation hybridFormulation();

}  // namespace dynid
