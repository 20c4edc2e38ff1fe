#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// d'Alembert-Lagrange: the work of the lost forces is zero in every virtual displacement,
///
///     tau.dq_v = sum_bodies int (r'' - g).dr dm,    dr = sum_j dr/dq_j dq_v,j
///
/// From positions alone: with homogeneous poses X = [R p] (r = X (x, 1)) the integral is the trace
/// form tr(dX/dq_j P X''^T), P the body's pseudo-inertia, linear in its parameters. X'' and dX/dq_j
/// by automatic differentiation of the poses; no velocity or acceleration of a body is used.
///
/// @returns Y [joints x 10 bodies]
///
/// Source: Negrean et al. 2024, eqs. 26-28; trace form as in De Luca, "Dynamic model of robots",
/// Euler's matrix.
Eigen::MatrixXd virtualWorkRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq);

/// Its static case, the principle of virtual work: tau_j = -sum g.d(m p + R h)/dq_j. Only m and h
/// are seen. [joints x 10 bodies]
Eigen::MatrixXd staticRegressor(const Robot& robot, const Eigen::VectorXd& q);

Formulation dalembertFormulation();
Formulation virtualWorkFormulation();

}  // namespace dynid
