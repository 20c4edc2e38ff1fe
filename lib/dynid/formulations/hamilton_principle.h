#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Hamilton's principle, discretised. The action between two positions a time h apart is
/// approximated by the midpoint rule,
///
///     L_d(q0, q1) = h L((q0 + q1)/2, (q1 - q0)/h)
///
/// It is stationary if D2 L_d(q0, q1) + D1 L_d(q1, q2) + h tau(t1) = 0, where D1 and D2 are the
/// derivatives by the first and second argument. The equation is linear in the parameters and needs
/// only three positions. Parameters identified from exact motions have an error of O(h^2); from
/// motions of the variational integrator with the same h they are exact.
///
/// @param q0, q1, q2  positions at t1 - h, t1, t1 + h [rad or m]
/// @param h           [s] > 0
/// @returns -(D2 L_d(q0, q1) + D1 L_d(q1, q2))/h [joints x 10 bodies]; times pi it is tau(t1) up to
///     O(h^2)
/// @throws std::invalid_argument if h is not positive
///
/// Source: Marsden and West, "Discrete mechanics and variational integrators", Acta Numerica 2001.
Eigen::MatrixXd discreteEulerLagrangeRows(const Robot& robot,
                                          const Eigen::VectorXd& q0,
                                          const Eigen::VectorXd& q1,
                                          const Eigen::VectorXd& q2,
                                          double h);

/// D1 L_d(q0, q1)/h (end = 0) or D2 L_d(q0, q1)/h (end = 1), [joints x 10 bodies].
Eigen::MatrixXd discreteGradient(
    const Robot& robot, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, double h, int end);

Formulation hamiltonPrincipleFormulation();

}  // namespace dynid
