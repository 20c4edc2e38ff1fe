#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// d'Alembert's principle in Lagrange's form: in every virtual displacement, applied efforts and
/// inertia forces do the same work,
///
///     tau.dq_v = sum_bodies int (r'' - g).dr dm,    dr = sum_j dr/dq_j dq_v,j
///
/// Only positions are used. With homogeneous poses X = [R p] (r = X (x, 1)) the integral is the
/// trace tr(dX/dq_j P X''^T), where P is the pseudo-inertia of the body, which is linear in its
/// parameters. X'' and dX/dq_j are computed by automatic differentiation of the poses; velocities
/// and accelerations of bodies do not occur.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @returns Y [joints x 10 bodies]
///
/// Source: Negrean et al., Symmetry 16(9), 1105, 2024, eqs. 26-28; trace form with Euler's matrix
/// as in De Luca, "Dynamic model of robots: Lagrangian approach", lecture notes Robotics 2,
/// Sapienza University of Rome.
Eigen::MatrixXd virtualWorkRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq);

/// The static case, the principle of virtual work: tau_j = -sum g.d(m p + R h)/dq_j. Only m and h
/// have an effect. [joints x 10 bodies]
Eigen::MatrixXd staticRegressor(const Robot& robot, const Eigen::VectorXd& q);

Formulation dalembertFormulation();
Formulation virtualWorkFormulation();

}  // namespace dynid
