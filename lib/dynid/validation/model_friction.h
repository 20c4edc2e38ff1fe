#pragma once

#include "dynid/model/model.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Friction of one actuator or joint of a model: its dissipative columns and their parameters.
struct ModelFriction {
  std::string name;
  std::string speed_unit;  ///< rad/s or m/s
  bool at_joint = false;   ///< owner is a joint; otherwise an actuator
  int owner = 0;
  double fastest = 0.0;  ///< [rad/s or m/s] up to which it must be passive
  std::vector<Column> columns;
  std::vector<double> parameters;

  /// Effort against the motion at each speed, in steady motion [N m or N; A].
  Eigen::VectorXd resistance(const Eigen::VectorXd& speeds) const;
};

/// Frictions of a model, of actuators before those of joints. Load-dependent friction is not
/// included.
std::vector<ModelFriction> frictionsOf(const Model& model);

/// Largest error of a prediction that friction explains while the joint stands still, in the unit
/// of the scores (N m or N; A with unknown gains): what friction can hold, which is its size at the
/// slowest speeds, up to a twentieth of the highest. Twice as much for a drive with a presliding
/// state, whose prediction may have the other sign. Of coupled drives
///
///     F_j = sum_a |T^-1(a, j)| F_a + F_joint
///
/// @returns [joints]
Eigen::VectorXd frictionErrorAtRest(const Model& model);

}  // namespace dynid
