#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

namespace dynid {

/// Drive inertias of a model [actuators] in kg m^2 or kg; zero where it has none.
/// @throws std::invalid_argument, as the functions below, for a model that is not complete
/// (Model::check)
Eigen::VectorXd driveInertias(const Model& model);

/// The same on the joint side, T^-T diag(drive inertias) T^-1 [joints x joints].
Eigen::MatrixXd jointDriveInertia(const Model& model);

/// Efforts that a model predicts at given states, by cause [samples x joints], joint side, N m or N
/// (where the scale is unknown: times the unknown factor).
struct EffortsByCause {
  Eigen::MatrixXd rigid;     ///< links: M(q) ddq + c(q, dq) + g(q)
  Eigen::MatrixXd drive;     ///< drive inertia
  Eigen::MatrixXd friction;  ///< all friction terms, offset and ripple too
  Eigen::MatrixXd position;  ///< springs and other position effects
  Eigen::MatrixXd total() const { return rigid + drive + friction + position; }
};

/// Evaluates a model at given states, without a log, a filter or a payload:
///
///     tau_joint = Y(q, dq, ddq) pi + T^-T tau_actuator
///
/// with tau_actuator the sum of column * parameter over the joint effects, in the coordinate
/// q_actuator = T^-1 (q - offset) of the drives (formulas: datasets/README.md, "Model").
///
/// A state has no history: friction with presliding takes its value after a long travel in the
/// direction of motion. Below the model's ramp speed the sign of the velocity is a linear ramp
/// through zero. Payload columns are left out, and a moving base is not taken into account.
///
/// @param q, dq, ddq  [samples x joints] joint side, rad or m, per s, per s^2; without samples the
/// result has none
/// @throws std::invalid_argument if the shapes differ, a number is not finite, or the model has
/// friction columns of an unknown drive; InputError where a loop does not close.
EffortsByCause effortsByCause(const Model& model,
                              const Eigen::Ref<const Eigen::MatrixXd>& q,
                              const Eigen::Ref<const Eigen::MatrixXd>& dq,
                              const Eigen::Ref<const Eigen::MatrixXd>& ddq);

/// Efforts of the joints in the model's `effort_unit`. If the scale is known, they are returned
/// unchanged. Otherwise the result is the currents [A] of the actuators, in which the unknown
/// factor cancels:
///
///     current_a = (T^T tau_joint)_a / gain_a
///
/// @param efforts  [samples x joints] joint side, N m or N (if the scale is unknown: times the
/// unknown factor)
Eigen::MatrixXd inEffortUnit(const Model& model, const Eigen::MatrixXd& efforts);

/// The sum of effortsByCause over all causes.
/// @returns [samples x joints] in the model's `effort_unit`, as inEffortUnit
/// @throws as effortsByCause
Eigen::MatrixXd modelEfforts(const Model& model,
                             const Eigen::Ref<const Eigen::MatrixXd>& q,
                             const Eigen::Ref<const Eigen::MatrixXd>& dq,
                             const Eigen::Ref<const Eigen::MatrixXd>& ddq);

}  // namespace dynid
