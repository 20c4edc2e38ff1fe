#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Held rows repeat the row before exactly in all joints although the robot moves by several
/// encoder steps a row: the logger polled faster than its source wrote. At rest, or between the
/// steps of a coarse encoder, equal rows are honest measurements.
struct HoldStatistics {
  Eigen::Index moving = 0;  ///< rows in which the robot moves by several steps
  Eigen::Index held = 0;    ///< of these, held
};

/// Longer runs of equal rows are rests.
inline constexpr Eigen::Index kLongestHold = 8;

/// true for held rows: in runs of at most kLongestHold equal rows, with
///   sum_j (slope_kj / resolution_j)^2 > 25 all along, slopes by chordSlopes over kLongestHold.
/// \param Q [N,n]; \param resolution [n] as of incrementResolution
/// \param statistics if not null: added to
std::vector<bool> heldRows(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                           const Eigen::Ref<const Eigen::VectorXd>& resolution,
                           HoldStatistics* statistics = nullptr);

}  // namespace dynid
