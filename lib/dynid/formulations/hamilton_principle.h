#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Hamilton's principle, discretised: the action between two positions a time h apart by the
/// midpoint rule,
///
///     L_d(q0, q1) = h L((q0 + q1)/2, (q1 - q0)/h)
///
/// is stationary if D2 L_d(q0, q1) + D1 L_d(q1, q2) + h tau(t1) = 0. Linear in the parameters, from
/// three positions alone; on exact motions its parameters are biased by O(h^2), on those of the
/// variational integrator of the same h not at all.
///
/// @param q0, q1, q2  positions at t1 - h, t1, t1 + h
/// @returns -(D2 L_d(q0, q1) + D1 L_d(q1, q2))/h [joints x 10 bodies], which times pi is tau(t1) up
/// to O(h^2)
/// @throws std::invalid_argument if h is not positive.
///
/// Source: "Other methods for derivation of systems dynamics", Hamilton's principle; Marsden and
/// West 2001.
Eigen::MatrixXd discreteEulerLagrangeRows(const Robot& robot,
                                          const Eigen::VectorXd& q0,
                                          const Eigen::VectorXd& q1,
                                          const Eigen::VectorXd& q2,
                                          double h);

/// D1 L_d(q0, q1)/h (end = 0) or D2 L_d(q0, q1)/h (end = 1) [joints x 10 bodies].
Eigen::MatrixXd discreteGradient(
    const Robot& robot, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, double h, int end);

Formulation hamiltonPrincipleFormulation();

}  // namespace dynid
