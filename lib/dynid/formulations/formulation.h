#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// What a formulation evaluates, and so what it is compared with.
enum class Computes {
  kRegressor,      ///< Y with Y pi = tau [rows of the joints x 10 bodies]
  kAccelerations,  ///< ddq that tau causes [joints]; second column, of the constrained ones: the
                   ///< constraint's force A^T lambda
  kIdentity        ///< a balance that must close: what is left over, relative to its terms
};
const char* toString(Computes computes);

/// One motion of a robot at one instant, the efforts that belong to it, and a constraint that it
/// obeys: M ddq + bias = tau = tau_constrained + A^T lambda, A ddq = b.
struct FormulationState {
  Eigen::VectorXd q, dq, ddq, dddq;  ///< [joints] rad or m, per s, per s^2, per s^3
  Eigen::VectorXd pi;                ///< [10 bodies], of possible bodies
  Eigen::VectorXd tau;               ///< [joints] Y pi by the projection method
  Eigen::MatrixXd A;                 ///< [constraints x joints], independent rows
  Eigen::VectorXd b;                 ///< [constraints]
  Eigen::VectorXd lambda;            ///< [constraints]
  Eigen::VectorXd tau_constrained;   ///< [joints]
};

/// One formulation of dynamics, as the agreement test and `check` see it.
struct Formulation {
  std::string name;              ///< as in the textbooks, lower case
  Computes computes;             ///< what evaluate returns
  std::string what;              ///< in a few words
  double tolerance;              ///< of the relative disagreement
  std::string tolerance_reason;  ///< why this much
  bool at_rest = false;          ///< a formulation of statics: compared at dq = ddq = 0
  /// "" where the formulation applies to this robot, else why not.
  std::string (*unsuitable)(const Robot&);
  Eigen::MatrixXd (*evaluate)(const Robot&, const FormulationState&);
};

}  // namespace dynid
