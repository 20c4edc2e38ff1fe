#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The projection method's dense regressor (ProjectionRegressor::dense), the measure of all others:
/// Y = sum_k J_k^T A_k [joints x 10 bodies].
Eigen::MatrixXd projectionRegressor(const Robot& robot,
                                    const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& dq,
                                    const Eigen::VectorXd& ddq);

Formulation projectionFormulation();

}  // namespace dynid
