#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Left side of the central equation (Zentralgleichung of Heun and Hamel) for a variation eta(t) of
/// the path with rate deta, as a row [1 x 10 bodies] that multiplies pi. For every eta
///
///     d/dt (dK/d dq . eta) - (dK/dq . eta + dK/d dq . deta) + dV/dq . eta = tau . eta
///
/// Its integral over time is Hamilton's principle.
///
/// Source: Papastavridis, "Analytical mechanics", 2002, central equation.
Eigen::RowVectorXd centralEquationRow(const Robot& robot,
                                      const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& dq,
                                      const Eigen::VectorXd& ddq,
                                      const Eigen::VectorXd& eta,
                                      const Eigen::VectorXd& deta);

Formulation centralEquationFormulation();

}  // namespace dynid
