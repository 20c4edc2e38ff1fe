#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Friction effects of the description's `friction` key, on the joint side. v: actuator velocity, s
/// = sgn(v).
enum class FrictionEffect {
  kViscous,           ///< viscous: v                                        [N m s/rad]
  kCoulomb,           ///< coulomb: s                                        [N m]
  kOffset,            ///< offset: 1                                         [N m]
  kAsymmetric,        ///< asymmetric: |v|, viscous friction that depends on the direction [N m
                      ///< s/rad]
  kSqrtViscous,       ///< sqrt_viscous: s sqrt|v|                           [N m (s/rad)^1/2]
  kQuadraticViscous,  ///< quadratic_viscous: v|v|                           [N m (s/rad)^2]
  kLoad,              ///< load: s |tau_model|, load-dependent Coulomb       [1]
  kStribeck,          ///< stribeck: s exp(-(|v|/v_s)^2)                    [N m]
  kPresliding,        ///< presliding: Dahl state in place of s, its distance chosen among four
  kRipple,  ///< ripple: sin/cos of the motor angle (gear_ratio turns per joint turn) [N m]
};

/// Name in the description ("viscous", ...).
const char* toString(FrictionEffect effect);
/// All effects in declaration order.
const std::vector<FrictionEffect>& allFrictionEffects();

/// A torque that depends on the joint's position.
struct PositionEffect {
  enum class Kind {
    kSpring,         ///< q - rest (columns q and 1; the constant merges with the offset)
    kPolynomial,     ///< q^1 ... q^degree
    kFourier,        ///< sin(k q), cos(k q), k = 1 ... harmonics
    kCounterbalance  ///< force along a strut or spring of length l between a point of the moving
                     ///< part at `radius` from the axis and a fixed anchor at `distance` from it:
                     ///< l^2 = radius^2 + distance^2 - 2 radius distance cos(q + angle), so that
                     ///< its lever is dl/dq = radius distance sin(q + angle) / l
  };
  Kind kind = Kind::kSpring;
  int degree = 1;            ///< kPolynomial only, >= 1
  int harmonics = 1;         ///< kFourier only, >= 1
  double radius = 0.0;       ///< [m] kCounterbalance only, > 0
  double distance = 0.0;     ///< [m] kCounterbalance only, > 0
  double angle = 0.0;        ///< [rad] kCounterbalance only
  bool at_actuator = false;  ///< acts on the actuator's coordinate instead of the joint's
};

/// The drive behind one effort channel. Friction and drive inertia act in the actuator's
/// coordinate.
struct Drive {
  std::string name;                ///< of the actuator (the joint's name without a transmission)
  bool automatic_friction = true;  ///< true: terms selected by blocked cross-validation
  std::vector<FrictionEffect> friction;          ///< the terms if automatic_friction is false
  std::vector<PositionEffect> position_effects;  ///< always fitted, never selected
  bool drive_inertia = true;                     ///< joint-side n^2 I_m is a parameter [kg m^2]
  std::optional<double> gear_ratio;              ///< motor turns per joint turn
  std::optional<double> drive_gain;              ///< [N m/A] joint side; may be negative
  bool identify_gain = false;                    ///< the description says `drive_gain = "identify"`
};

}  // namespace dynid
