#pragma once

#include "dynid/robot/robot.h"

#include <limits>
#include <string>
#include <vector>

namespace dynid {

/// Form of the equations of motion that is fitted. All forms are linear in the same parameters.
enum class EquationKind {
  kInverseDynamics,  ///< tau = Y(q, dq, ddq) pi: one row per sample and actuator
  kPower,            ///< dE/dt = sum dq (tau - tau_friction): one channel for the whole robot
  kEnergy,           ///< E(t1) - E(t0) = int sum dq (tau - tau_friction) dt: no accelerations
  kMomentum,  ///< p(t1) - p(t0) - int dL/dq dt = int (tau - tau_friction) dt: no accelerations
  /// Discrete Hamilton's principle: from three positions, without velocities and accelerations
  kVariational,
};

/// Settings of the equations that are fitted.
struct Equations {
  EquationKind kind = EquationKind::kInverseDynamics;
  /// [actuators] For kMomentum: true for actuators in momentum form; the others keep inverse
  /// dynamics (as in Routh's equations).
  std::vector<bool> momentum;
  /// [s] Length of the integration windows; NaN: one period of the cut-off frequency.
  double window_s = std::numeric_limits<double>::quiet_NaN();

  /// Whether the six rows of every link with an inertial and a wrench sensor are fitted together
  /// with those of the joints.
  bool with_bodies = false;
  /// Whether the six rows of the wrench that the ground exerts on the base are fitted too.
  bool with_base = false;
  bool withSensors() const { return with_bodies || with_base; }

  /// One channel for the whole robot instead of one per actuator.
  bool oneChannel() const { return kind == EquationKind::kPower || kind == EquationKind::kEnergy; }
};

/// Checks that `text` names a kind of equations; joint names are not checked.
/// @throws UsageError with a suggestion if it does not
void checkEquations(const std::string& text);

/// Parses "inverse-dynamics", "power", "energy", "momentum", "variational", or "routh:JOINT,JOINT"
/// (momentum form for the actuators of these joints, inverse dynamics for the others).
/// @param window_s  [s] see Equations
/// @throws UsageError for an unknown kind or joint, with a suggestion; if the kind has no
///     accelerations, also for a floating base and for load-dependent friction in the robot
///     description
Equations equationsOf(const std::string& text, const Robot& robot, double window_s);

}  // namespace dynid
