#pragma once

#include "dynid/robot/drive.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Consecutive samples of one actuator, in its own coordinate. Vectors that no asked effect needs
/// may be empty.
struct EffectBlock {
  Eigen::VectorXd q;          ///< [rad or m]: presliding, ripple
  Eigen::VectorXd dq;         ///< [rad/s or m/s]
  Eigen::VectorXd ddq;        ///< [rad/s^2 or m/s^2]: drive inertia
  Eigen::VectorXd tau_model;  ///< [N m or N] what the rest of the model asks of this actuator: load
  /// [rad/s or m/s] The sign of the velocity ramps linearly through zero below this; 0: jumps.
  double deadband = 0.0;
};

/// Dahl's presliding state of one actuator, carried from block to block.
///
///     dz/dt = dq/delta (1 - sgn(dq) z),   z in [-1, 1]
///
/// z follows the travel, not the time, and goes to sgn(dq) after a few `delta` of travel in one
/// direction. (Dahl 1968.)
struct PreslidingState {
  double z = 0.0;  ///< 0: unknown history; any start is forgotten after a few delta of travel
  double q = 0.0;  ///< position at the last sample
  bool started =
      false;  ///< false: the next sample sets q and keeps z. Set it after a gap in the log.
};

/// s(v) = sgn(v), or v/deadband for |v| < deadband.
Eigen::VectorXd velocitySign(const Eigen::Ref<const Eigen::VectorXd>& dq, double deadband = 0.0);

/// The Dahl state at every sample of q, integrated exactly over each step on the assumption that
/// the joint moves one way within it: z+ = s + (z - s) exp(-|dq|/delta), s = sgn(dq), dq the step.
/// @param delta  [rad or m] travel over which friction builds up, > 0
/// @param state  continued and updated
/// @throws std::invalid_argument if delta is not positive.
Eigen::VectorXd preslidingColumn(const Eigen::Ref<const Eigen::VectorXd>& q,
                                 double delta,
                                 PreslidingState& state);

/// Column of one friction effect, so that torque on the actuator's side = sum of parameter * column
/// (what the drive must deliver to overcome it):
///
///     viscous v · coulomb s · offset 1 · asymmetric |v| · sqrt_viscous s sqrt|v| ·
///     quadratic_viscous v|v| load s |tau_model| · stribeck s exp(-(v/shape)^2) · presliding z(q;
///     shape) ripple sin(shape q) (component 0), cos(shape q) (component 1); shape = motor turns
///     per actuator turn
///
/// @param shape      Stribeck velocity, presliding distance or ripple's turns; not used by the
/// others
/// @param state      needed for presliding only
/// @throws std::invalid_argument if a vector that the effect needs is missing, or the shape is not
/// positive.
Eigen::VectorXd effectColumn(FrictionEffect effect,
                             double shape,
                             int component,
                             const EffectBlock& block,
                             PreslidingState* state = nullptr);

/// The same for a column of a layout of kind kFriction or kDriveInertia (value: ddq). Where the
/// column has a presliding distance and a state is given, Dahl's z stands in place of the sign.
/// @param state  of this column (not shared: every call advances it); nullptr: the sign itself
Eigen::VectorXd effectColumn(const Column& column,
                             const EffectBlock& block,
                             PreslidingState* state = nullptr);

/// How many columns the effect has: 2 for ripple, else 1.
int componentsOf(FrictionEffect effect);

/// A column of a position effect: its name ("spring", "sin1", ...) and the unit of its parameter.
struct PositionTerm {
  std::string name;
  std::string unit;
};

/// The columns that a position effect has, in the order of positionColumns:
///
///     spring          q                            stiffness; the rest position is in the offset,
///     which goes with it polynomial      q, q^2 ... q^degree          poly1 ... fourier sin q, cos
///     q, sin 2q ...     sin1, cos1 ... counterbalance  dL/dq, L dL/dq               constant force
///     and linear part of the force along the strut, of length
///                     L^2 = r^2 + d^2 - 2 r d cos(q + angle), by virtual work
///
/// @param prismatic  units per metre instead of per radian
std::vector<PositionTerm> positionTerms(const PositionEffect& effect, bool prismatic);

/// Columns of one position effect of an actuator's description (Drive::position_effects[index]),
/// named "<joint>.spring", ... and numbered from the second effect on.
std::vector<Column> positionEffectColumns(const Robot& robot, int actuator, int index);

/// @param q  joint's position, or the actuator's where `at_actuator` [rad or m]
/// @returns [samples x terms]
/// @throws std::invalid_argument if degree, harmonics, radius or distance is not positive.
Eigen::MatrixXd positionColumns(const PositionEffect& effect,
                                const Eigen::Ref<const Eigen::VectorXd>& q);

}  // namespace dynid
