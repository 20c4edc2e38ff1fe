#pragma once

#include "dynid/model/model.h"
#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>

namespace dynid {

/// The true parameters of the robot of a simulated log.
///
///     tau_actuator = sum over the layout of column * parameter,   tau_joint = T^-T tau_actuator
struct SimulationTruth {
  ParameterLayout layout;       ///< ten inertial columns per body, then joint effects; no payloads
  Eigen::VectorXd parameters;   ///< in the layout's order
  Eigen::VectorXd drive_gains;  ///< [actuators] N m/A; empty: no gains
  /// [actuators] Below this speed the sign of the friction is a linear ramp [rad/s or m/s]; empty:
  /// a step.
  Eigen::VectorXd ramp_speed;
  /// [actuators] s: delay of the recorded efforts against the motion; empty: none
  Eigen::VectorXd effort_delay;

  /// @throws std::invalid_argument if layout, parameters and robot do not fit together
  void check(const Robot& robot) const;
};

/// A plausible robot. Bodies keep their described inertia (`described_inertia`) if it is physically
/// possible. Others are random, physically consistent bodies of the size of the link: a capsule
/// from the link's origin to those of its children with a random affine deformation and density,
/// within the bounds of the description on masses. Drives have inertia, friction and springs in
/// proportion to the torque that they transmit, or as described (`described_drives`) where the
/// description has values that are not zero. The friction effects are those that the description
/// names; if it leaves the choice: viscous, Coulomb, offset. Friction resists at every speed up to
/// that of the velocity limits (frictionResistance). The same seed gives the same robot.
SimulationTruth randomTruth(const Robot& robot,
                            std::uint64_t seed,
                            bool described_inertia = true,
                            bool described_drives = false);

/// The parameters of an identified model, and the delay of its efforts, as the truth. Payload
/// columns are left out.
/// @throws std::invalid_argument for a model that is not complete (Model::check)
SimulationTruth truthOf(const Model& model);

}  // namespace dynid
