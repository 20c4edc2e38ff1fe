#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dynid {

/// What a channel measures.
enum class Quantity { kTime, kPosition, kVelocity, kAcceleration, kEffort, kCurrent };

/// A unit of one quantity.
struct Unit {
  double to_si = 1.0;  ///< value in SI = to_si * value
  bool linear =
      false;  ///< m, m/s, m/s^2, N: fits a prismatic joint; else rad, ..., N m: a revolute one
};

/// The unit written as `text` ("rad", "deg/s", "N m", "Nm", "N*m", "mm", "us", ...): blanks, `*`,
/// `^` and middle dots do not count. Nothing if the text is not a unit of that quantity.
std::optional<Unit> parseUnit(Quantity quantity, std::string_view text);

/// The longest part of `text` before a bracket or a blank that is a unit ("A (torso: driver units)"
/// is A).
std::optional<Unit> parseUnitPrefix(Quantity quantity, std::string_view text);

/// The SI unit as it is written to files: "rad", "m/s", "N m", ...
std::string siUnit(Quantity quantity, bool linear);

/// "rad, deg, ..." for messages.
std::string knownUnits(Quantity quantity);

}  // namespace dynid
