#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Rows that repeat the row before exactly in all joints while the robot certainly moves: the
/// logger polled faster than its source wrote. At rest, or among the steps of a coarse encoder,
/// equal rows are honest measurements.
struct HoldStatistics {
  Eigen::Index certain = 0;             ///< rows in which the robot certainly moves
  std::vector<Eigen::Index> run_count;  ///< [r]: held runs of length r, r up to kLongestHold
  Eigen::Index heldRows() const;
};
inline constexpr Eigen::Index kLongestHold = 8;

/// true for held rows in runs of at most `longest` rows.
/// \param Q [N,n]; \param noise as of incrementNoise; \param statistics if not null: added to
std::vector<bool> heldRows(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                           const Eigen::Ref<const Eigen::VectorXd>& noise,
                           Eigen::Index longest,
                           HoldStatistics* statistics = nullptr);

}  // namespace dynid
