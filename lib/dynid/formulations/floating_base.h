#pragma once

#include "dynid/formulations/formulation.h"
#include "dynid/spatial/transform.h"

namespace dynid {

/// Motion of the root link of a floating base.
struct BaseMotion {
  Transform X_WB;      ///< pose of the root link in the world
  Eigen::Vector3d v;   ///< velocity of its origin, body axes [m/s]
  Eigen::Vector3d w;   ///< angular velocity, body axes [rad/s]
  Eigen::Vector3d dv;  ///< time derivative of the components of v in body axes [m/s^2]
  Eigen::Vector3d dw;  ///< time derivative of the components of w [rad/s^2]
};

/// Quasi-velocities of the base; they determine the axes and the reference point of the wrench (f,
/// n).
enum class BaseFrame {
  kBody,   ///< Kirchhoff: left-invariant; body axes, moment about the base's origin
  kSpace,  ///< Newton-Euler: right-invariant; world axes, moment about the world's origin
  kHybrid  ///< force in world axes, moment about the base's origin in body axes
};
const char* toString(BaseFrame frame);

/// The six equations of a floating base: the wrench (f, n) that the environment exerts on it,
/// linear in the parameters of the root link (first ten columns) and of the bodies, [6 x 10 (1 +
/// bodies)]. Each choice of quasi-velocities has its own equations of motion for the momenta Q
/// (linear) and G (angular) of the whole robot, which are differentiated automatically along the
/// motion. W_f and W_n are the wrench of gravity:
///
///     body    dQ/dt + w x Q = f + W_f,   dG/dt + w x G + v x Q = n + W_n   (components in B)
///     space   dQ/dt = f + W_f,           dG/dt = n + W_n           (components in W, about Wo)
///     hybrid  dQ/dt = f + W_f in W,      dG/dt + w x G + v x Q = n + W_n in B, about Bo
///
/// The three are the same equation in different quasi-velocities (Hamel-Boltzmann); wrenchTransform
/// converts between them. If no external wrench acts on the base, the rows equal zero and serve as
/// identification rows.
///
/// @param robot  with a fixed or floating base; its gravity is in the world's axes
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
///
/// Source: Massa and Vignolo, Meccanica 51, 2016, eqs. 14-19 and the hybrid formulation.
Eigen::MatrixXd baseWrenchRows(const Robot& robot,
                               const BaseMotion& base,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq,
                               const Eigen::VectorXd& ddq,
                               BaseFrame frame);

/// The matrix [6 x 6] that transforms a wrench in body axes about Bo to the given frame.
Eigen::Matrix<double, 6, 6> wrenchTransform(const Transform& X_WB, BaseFrame frame);

Formulation kirchhoffFormulation();
Formulation spaceFrameFormulation();
Formulation hybridFormulation();

}  // namespace dynid
