#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The dense regressor of the projection method (ProjectionRegressor::dense), Y = sum_k J_k^T A_k
/// [joints x 10 bodies]. The other formulations are compared with it.
Eigen::MatrixXd projectionRegressor(const Robot& robot,
                                    const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& dq,
                                    const Eigen::VectorXd& ddq);

Formulation projectionFormulation();

}  // namespace dynid
