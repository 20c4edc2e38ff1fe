#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// What a formulation evaluates. It determines how the result is compared.
enum class Computes {
  kRegressor,  ///< Y with Y pi = tau [rows of the joints x 10 bodies]
  /// ddq for given tau [joints]. Constrained formulations add a second column, the constraint force
  /// A^T lambda.
  kAccelerations,
  kIdentity  ///< residual of a balance that must be zero, relative to the sum of its terms
};
const char* toString(Computes computes);

/// One motion of a robot at one instant with the efforts that belong to it, and a constraint that
/// it obeys: M ddq + bias = tau = tau_constrained + A^T lambda, A ddq = b.
struct FormulationState {
  Eigen::VectorXd q, dq, ddq, dddq;  ///< [joints] rad or m, per s, per s^2, per s^3
  Eigen::VectorXd pi;                ///< [10 bodies], of physically possible bodies
  Eigen::VectorXd tau;               ///< [joints] Y pi by the projection method
  Eigen::MatrixXd A;                 ///< [constraints x joints], independent rows
  Eigen::VectorXd b;                 ///< [constraints]
  Eigen::VectorXd lambda;            ///< [constraints]
  Eigen::VectorXd tau_constrained;   ///< [joints]
};

/// One formulation of the equations of motion, as used by compareFormulations and by the command
/// `check`.
struct Formulation {
  std::string name;              ///< its usual name in textbooks, lower case
  Computes computes;             ///< what evaluate returns
  std::string what;              ///< short description
  double tolerance;              ///< bound of the relative disagreement with the projection method
  std::string tolerance_reason;  ///< why the tolerance has this value
  bool at_rest = false;          ///< a formulation of statics, compared at dq = ddq = 0
  /// Returns "" if the formulation applies to this robot, otherwise the reason why not.
  std::string (*unsuitable)(const Robot&);
  Eigen::MatrixXd (*evaluate)(const Robot&, const FormulationState&);
};

}  // namespace dynid
