#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The left side of the central equation (Zentralgleichung) for a variation eta(t) of the path with
/// the rate deta, as a row [1 x 10 bodies] that multiplies pi: for every eta
///
///     d/dt (dK/d dq . eta) - (dK/dq . eta + dK/d dq . deta) + dV/dq . eta = tau . eta
///
/// It is Hamilton's principle before
/// the integral over time is taken.
///
/// Source: "Other methods for derivation of systems dynamics", table of methods, Zentralgleichung.
Eigen::RowVectorXd centralEquationRow(const Robot& robot,
                                      const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& dq,
                                      const Eigen::VectorXd& ddq,
                                      const Eigen::VectorXd& eta,
                                      const Eigen::VectorXd& deta);

Formulation centralEquationFormulation();

}  // namespace dynid
