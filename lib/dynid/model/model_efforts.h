#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

namespace dynid {

/// Drive inertias of a model [actuators] in kg m^2 or kg; zero where it has none.
Eigen::VectorXd driveInertias(const Model& model);

/// The same on the joint side, T^-T diag(drive inertias) T^-1 [joints x joints].
Eigen::MatrixXd jointDriveInertia(const Model& model);

/// Efforts that a model predicts at given states, without a payload:
///
///     tau_actuator = T^T Y(q, dq, ddq) pi + sum over joint effects of column * parameter
///     tau_joint    = T^-T tau_actuator
///
/// A state has no history, so friction with presliding takes its value after a long travel in the
/// direction of motion; the sign of the velocity ramps through zero below the model's standstill
/// speed. Payload columns are left out.
///
/// @param q, dq, ddq  [samples x joints] joint side, rad or m, per s, per s^2
/// @returns [samples x joints] in the model's `effort_unit`, joint side (where the scale is
/// unknown: A, on the side that the drives were measured at)
/// @throws std::invalid_argument if the shapes differ, a number is not finite, or the model has
/// friction columns of an unknown drive; InputError where a loop does not close.
Eigen::MatrixXd modelEfforts(const Model& model,
                             const Eigen::Ref<const Eigen::MatrixXd>& q,
                             const Eigen::Ref<const Eigen::MatrixXd>& dq,
                             const Eigen::Ref<const Eigen::MatrixXd>& ddq);

}  // namespace dynid
