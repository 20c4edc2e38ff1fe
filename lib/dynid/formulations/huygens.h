#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Total energy E = K + V, linear in the parameters [1 x 10 bodies]. Energy identification over a
/// window: (energyRow(t1) - energyRow(t0)) pi = int dq.tau dt, without accelerations.
Eigen::RowVectorXd energyRow(const Robot& robot,
                             const Eigen::VectorXd& q,
                             const Eigen::VectorXd& dq);

/// Huygens' balance in time: powerRow pi = dE/dt = dq.tau [1 x 10 bodies]; E differentiated
/// automatically along the motion.
///
/// Source: "Other methods for derivation of systems dynamics", table of methods, T + V = H.
Eigen::RowVectorXd powerRow(const Robot& robot,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq);

Formulation huygensFormulation();
/// The same over a window, by quadrature.
Formulation energyWindowFormulation();

}  // namespace dynid
