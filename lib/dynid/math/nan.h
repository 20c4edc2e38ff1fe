#pragma once

#include <limits>

namespace dynid {

/// "Not known": the value of numbers that could not be measured.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace dynid
