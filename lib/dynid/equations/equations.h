#pragma once

#include "dynid/robot/robot.h"

#include <limits>
#include <string>
#include <vector>

namespace dynid {

/// Which form of the equations of motion is fitted. All are linear in the same parameters.
enum class EquationKind {
  kInverseDynamics,  ///< tau = Y(q, dq, ddq) pi: one row per sample and actuator
  kPower,            ///< dE/dt = sum dq (tau - tau_friction): one channel for the whole robot
  kEnergy,           ///< E(t1) - E(t0) = int sum dq (tau - tau_friction) dt: no accelerations
  kMomentum,     ///< p(t1) - p(t0) - int dL/dq dt = int (tau - tau_friction) dt: no accelerations
  kVariational,  ///< Hamilton's principle, discrete: from three positions, no velocities either
};

/// The equations of an identification.
struct Equations {
  EquationKind kind = EquationKind::kInverseDynamics;
  /// [actuators] kMomentum: true for those in momentum form, the others keep inverse dynamics
  /// (Routh's choice).
  std::vector<bool> momentum;
  /// [s] length of the windows that are integrated over; NaN: one period of the cut-off.
  double window_s = std::numeric_limits<double>::quiet_NaN();

  /// Six rows of every link with an inertial and a wrench sensor stand beside those of the joints.
  bool with_bodies = false;
  /// Six rows of what the ground exerts on the base, too.
  bool with_base = false;
  bool withSensors() const { return with_bodies || with_base; }

  /// One channel for the whole robot instead of one per actuator.
  bool oneChannel() const { return kind == EquationKind::kPower || kind == EquationKind::kEnergy; }
};

/// @throws UsageError, with a suggestion, unless `text` names a kind of equations (joints are not
/// looked at).
void checkEquations(const std::string& text);

/// What `text` asks for: "inverse-dynamics", "power", "energy", "momentum", "variational", or
/// "routh:JOINT,JOINT" (momentum form for the actuators of these joints, inverse dynamics for the
/// others).
/// @throws UsageError for an unknown kind or joint, with a suggestion; for a floating base and for
/// load-dependent friction in the description where the kind has no accelerations
Equations equationsOf(const std::string& text, const Robot& robot, double window_s);

}  // namespace dynid
