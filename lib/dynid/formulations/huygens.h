#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Total energy E = K + V, linear in the parameters: E = energyRow pi, [1 x 10 bodies]. It gives
/// energy equations over a window [t0, t1] that do not need accelerations: (energyRow(t1) -
/// energyRow(t0)) pi = int dq.tau dt.
Eigen::RowVectorXd energyRow(const Robot& robot,
                             const Eigen::VectorXd& q,
                             const Eigen::VectorXd& dq);

/// Power balance: powerRow pi = dE/dt = dq.tau, [1 x 10 bodies]. E is differentiated automatically
/// along the motion.
Eigen::RowVectorXd powerRow(const Robot& robot,
                            const Eigen::VectorXd& q,
                            const Eigen::VectorXd& dq,
                            const Eigen::VectorXd& ddq);

Formulation huygensFormulation();
/// The same balance over a time window, by numerical quadrature.
Formulation energyWindowFormulation();

}  // namespace dynid
