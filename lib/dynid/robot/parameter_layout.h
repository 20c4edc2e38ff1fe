#pragma once

#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// Kind of the parameter of a regressor column.
enum class ColumnKind {
  kInertial,      ///< owner: body, component 0..9
  kDriveInertia,  ///< owner: actuator
  kFriction,      ///< owner: actuator; `effect` says which
  kPosition,      ///< owner: actuator or joint; spring, polynomial, ...
  kPayload        ///< owner: payload, component 0..9
};

/// One column of a regressor, and the parameter that multiplies it.
struct Column {
  ColumnKind kind = ColumnKind::kInertial;
  int owner = -1;     ///< index; of what, see ColumnKind
  int component = 0;  ///< kInertial, kPayload: index into (m, mc, Ixx, Ixy, Ixz, Iyy, Iyz, Izz)
  int carrier = -1;   ///< kPayload: the body that carries it
  FrictionEffect effect = FrictionEffect::kViscous;  ///< kFriction only
  /// kFriction: the parameter inside the term, see effectColumn. kStribeck: v_s [rad/s or m/s];
  /// kRipple: motor turns per joint turn; 0 for terms without one.
  double shape = 0.0;
  int position_effect = 0;  ///< kPosition: index of the effect within Drive::position_effects
  /// The sign s(v) of sign-based friction: Dahl state with this distance [rad or m], or
  /// tanh(v / smoothing) [rad/s or m/s], or, both zero, clamp(v / ramp speed, -1, 1).
  double presliding = 0.0;
  double smoothing = 0.0;  ///< see presliding
  /// kFriction: acts on a joint behind a coupled transmission; owner is the joint, not an actuator.
  bool at_joint = false;
  std::string name;  ///< "forearm_link.Ixx", "elbow_joint.viscous": unique
  std::string unit;  ///< of the parameter, for example "N m s/rad"
  bool nonnegative =
      false;  ///< the parameter is physically >= 0 (viscous and Coulomb friction, drive inertia)

  /// One of the ten parameters of a link or a payload.
  bool ofRigidBody() const { return kind == ColumnKind::kInertial || kind == ColumnKind::kPayload; }
  bool isFriction() const { return kind == ColumnKind::kFriction; }
  bool isFriction(FrictionEffect which) const { return isFriction() && effect == which; }
  /// Friction in proportion to the torque that the joint transmits.
  bool dependsOnTransmittedTorque() const { return isFriction(FrictionEffect::kLoad); }
  /// Friction with a Dahl state, which depends on the motion before.
  bool hasPreslidingState() const { return isFriction() && presliding > 0.0 && smoothing == 0.0; }
  /// Friction whose sign is clamp(v / ramp speed, -1, 1).
  bool hasRamp() const;
};

/// The ordered list of parameter columns: ten per body (in the order of the bodies), then the joint
/// effects (actuator by actuator), then the payloads. Every matrix with parameter columns uses this
/// order or an explicit subset of it.
class ParameterLayout {
 public:
  ParameterLayout() = default;
  explicit ParameterLayout(std::vector<Column> columns) : columns_(std::move(columns)) {}

  int size() const { return static_cast<int>(columns_.size()); }
  const Column& operator[](int i) const { return columns_[i]; }
  const std::vector<Column>& columns() const { return columns_; }
  /// Index of the named column, -1 if there is none.
  int find(const std::string& name) const;
  void append(Column column) { columns_.push_back(std::move(column)); }

 private:
  std::vector<Column> columns_;
};

/// The ten inertial columns of every body of the robot.
ParameterLayout inertialLayout(const Robot& robot);

/// Column of one friction effect of an actuator ("<actuator>.viscous", ...), with unit and sign
/// rule.
/// @throws std::invalid_argument, as the functions below, if there is no such actuator or joint
Column frictionColumn(const Robot& robot, int actuator, FrictionEffect effect, double shape = 0.0);
/// The same friction of a joint behind a coupled transmission ("<joint>.viscous_joint", ...).
Column jointFrictionColumn(const Robot& robot, int joint, FrictionEffect effect);
Column driveInertiaColumn(const Robot& robot, int actuator);

/// The effect of the description that a column of kind kPosition belongs to.
PositionEffect positionEffect(const Robot& robot, const Column& column);

}  // namespace dynid
