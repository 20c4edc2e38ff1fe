#pragma once

#include "dynid/robot/drive.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Consecutive samples of one actuator, in its own coordinate. Vectors that are not needed for the
/// requested effect may be empty.
struct EffectBlock {
  Eigen::VectorXd q;    ///< [rad or m]; needed for presliding, ripple
  Eigen::VectorXd dq;   ///< [rad/s or m/s]
  Eigen::VectorXd ddq;  ///< [rad/s^2 or m/s^2]; needed for drive inertia
  /// [N m or N] Effort that the rest of the model requires of this actuator; needed for
  /// load-dependent friction.
  Eigen::VectorXd tau_model;
  /// [rad/s or m/s] Below this speed the sign of the velocity is a linear ramp through zero; 0: a
  /// step.
  double deadband = 0.0;
};

/// Presliding state of one actuator (Dahl's model), passed from block to block.
///
///     dz/dt = dq/delta (1 - sgn(dq) z),   z in [-1, 1]
///
/// z depends on the travel, not on time, and approaches sgn(dq) after a few `delta` of travel in
/// one direction. Source: Dahl, "A solid friction model", 1968.
struct PreslidingState {
  /// 0 for an unknown history; any initial value decays within a few delta of travel
  double z = 0.0;
  double q = 0.0;  ///< [rad or m] position at the last sample
  /// False: the next sample sets q and leaves z unchanged. Reset to false after a gap in the log.
  bool started = false;
};

/// The regularised sign s(v) = sgn(v), or v/deadband for |v| < deadband.
Eigen::VectorXd velocitySign(const Eigen::Ref<const Eigen::VectorXd>& dq, double deadband = 0.0);

/// The sign s(v) of a friction column without presliding state: tanh(v / smoothing) if the column
/// has a smoothing speed, else the regularised sign with the block's deadband.
Eigen::VectorXd velocitySign(const Column& column, const EffectBlock& block);

/// The Dahl state at every sample of q. Each step is integrated exactly under the assumption that
/// the joint does not reverse within it: z+ = s + (z - s) exp(-|dq|/delta), where dq is the step
/// and s = sgn(dq).
/// @param q      [rad or m]
/// @param delta  [rad or m] travel over which friction builds up, > 0
/// @param state  state after the samples before; updated
/// @throws std::invalid_argument if delta is not positive
Eigen::VectorXd preslidingColumn(const Eigen::Ref<const Eigen::VectorXd>& q,
                                 double delta,
                                 PreslidingState& state);

/// Regressor column of one friction effect: parameter * column is the effort on the actuator's side
/// that the drive must provide to overcome the effect. With v the velocity and s its sign:
///
///     viscous            v                          coulomb   s
///     offset             1                          asymmetric  |v|
///     sqrt_viscous       s sqrt|v|                  quadratic_viscous  v |v|
///     load               s |tau_model|              stribeck  s exp(-(v/shape)^2)
///     presliding         z(q; shape)
///     ripple             sin(shape q) (component 0), cos(shape q) (component 1)
///
/// @param shape      Stribeck velocity [rad/s or m/s], presliding distance [rad or m], or for
///     ripple the motor turns per actuator turn; not used by the others
/// @param component  0, or 1 for the second column of ripple
/// @param state      needed for presliding only; updated
/// @throws std::invalid_argument if a vector that the effect needs is missing, or the shape is not
///     positive
Eigen::VectorXd effectColumn(FrictionEffect effect,
                             double shape,
                             int component,
                             const EffectBlock& block,
                             PreslidingState* state = nullptr);

/// The same for a layout column of kind kFriction, or kDriveInertia (the column is ddq). The sign
/// of the velocity is that of the column (its smoothing speed), or Dahl's z if the column has a
/// presliding state and a state is given. Without a state the sign also takes the place of a column
/// of kind presliding.
/// @param state  of this column only (every call advances it); nullptr: the sign is used
Eigen::VectorXd effectColumn(const Column& column,
                             const EffectBlock& block,
                             PreslidingState* state = nullptr);

/// Number of columns of the effect: 2 for ripple, otherwise 1.
int componentsOf(FrictionEffect effect);

/// A column of a position effect: its name ("spring", "sin1", ...) and the unit of its parameter.
struct PositionTerm {
  std::string name;
  std::string unit;
};

/// The columns of a position effect, in the order of positionColumns:
///
///     spring          q                           stiffness; the rest position is part of the
///                                                 offset, which is added together with it
///     polynomial      q, q^2 ... q^degree         poly1 ...
///     fourier         sin q, cos q, sin 2q ...    sin1, cos1 ...
///     counterbalance  dL/dq, L dL/dq              constant and linear part of the force along the
///                                                 strut, by virtual work, for the strut length
///                                                 L^2 = r^2 + d^2 - 2 r d cos(q + angle)
///
/// @param prismatic  units per metre instead of per radian
std::vector<PositionTerm> positionTerms(const PositionEffect& effect, bool prismatic);

/// Columns of one position effect of an actuator's description (Drive::position_effects[index]).
/// They are named "<joint>.spring" and so on; from the second effect on the names carry a number.
std::vector<Column> positionEffectColumns(const Robot& robot, int actuator, int index);

/// Values of the columns of positionTerms.
/// @param q  position of the joint, or of the actuator if `at_actuator` [rad or m]
/// @returns [samples x terms]
/// @throws std::invalid_argument if degree, harmonics, radius or distance is not positive
Eigen::MatrixXd positionColumns(const PositionEffect& effect,
                                const Eigen::Ref<const Eigen::VectorXd>& q);

}  // namespace dynid
