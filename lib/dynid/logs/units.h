#pragma once

#include <numbers>
#include <optional>
#include <string>
#include <string_view>

namespace dynid {

inline constexpr double kTurn = 2.0 * std::numbers::pi;  ///< [rad]

/// The quantity that a channel measures.
enum class Quantity { kTime, kPosition, kVelocity, kAcceleration, kEffort, kCurrent };

/// A unit of a quantity.
struct Unit {
  double to_si = 1.0;  ///< value in SI = to_si * value
  /// True: m, m/s, m/s^2 or N, for prismatic joints; false: rad, ..., N m, for revolute joints.
  bool linear = false;
};

/// Parses a unit ("rad", "deg/s", "N m", "Nm", "N*m", "mm", "us", ...); blanks, `*`, `^` and middle
/// dots are ignored. Empty if the text is not a unit of this quantity.
std::optional<Unit> parseUnit(Quantity quantity, std::string_view text);

/// Parses the longest part of `text` before a bracket or a blank that is a unit ("A (torso: driver
/// units)" gives A).
std::optional<Unit> parseUnitPrefix(Quantity quantity, std::string_view text);

/// The SI unit as written to files: "rad", "m/s", "N m", ...
std::string siUnit(Quantity quantity, bool linear);

/// List such as "rad, deg, ..." for messages.
std::string knownUnits(Quantity quantity);

}  // namespace dynid
