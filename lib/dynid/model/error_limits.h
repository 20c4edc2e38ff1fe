#pragma once

namespace dynid {

/// Relative errors beyond the noise floor, sqrt(error^2 - floor^2), up to which a model is used.
/// Identification judges its training logs by them, validation other logs. Nine real robots have at
/// most 0.20 in training logs (cross-validated) and 0.18 in others (experiments/real_robots).
inline constexpr double kLargestError = 0.35;  ///< of all joints and samples
inline constexpr double kDoubtfulError =
    0.25;  ///< likewise, and of the filtered effort of a joint; a doubt already
inline constexpr double kLargestJointError = 0.60;  ///< of a joint, over its moving samples

}  // namespace dynid
