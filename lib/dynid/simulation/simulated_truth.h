#pragma once

#include "dynid/model/model.h"
#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>

namespace dynid {

/// The robot that a simulated log comes from.
///
///     tau_actuator = sum over the layout of column * parameter,   tau_joint = T^-T tau_actuator
struct SimulationTruth {
  ParameterLayout layout;  ///< ten inertial columns of every body, then joint effects; no payloads
  Eigen::VectorXd parameters;   ///< in the layout's order
  Eigen::VectorXd drive_gains;  ///< [actuators] N m/A; empty: none known
  /// [actuators] friction's sign ramps through zero below this [rad/s or m/s]; empty: it jumps.
  Eigen::VectorXd ramp_speed;

  /// @throws std::invalid_argument if layout, parameters and robot do not fit together.
  void check(const Robot& robot) const;
};

/// A plausible robot: bodies keep the description's inertia where it is one of a real body; others
/// are random bodies of link-like size (a capsule from the link's origin to those of its children,
/// stretched and loaded at random, physically consistent). Drives get inertia and friction in
/// proportion to the torque they carry; effects are those the description asks for, where it leaves
/// the choice: viscous, Coulomb, offset. The same seed gives the same robot.
SimulationTruth randomTruth(const Robot& robot,
                            std::uint64_t seed,
                            bool keep_description_inertia = true);

/// An identified model as the truth: a rehearsal. Payload columns are left out.
SimulationTruth truthOf(const Model& model);

}  // namespace dynid
