#pragma once

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Counts of held rows. A held row repeats the row before exactly in all joints although the robot
/// moves by several encoder steps per row: the logger was faster than its source. At standstill, or
/// between the steps of a coarse encoder, equal rows are correct measurements.
struct HoldStatistics {
  Eigen::Index moving = 0;  ///< rows in which the robot moves by several encoder steps
  Eigen::Index held = 0;    ///< held rows among these
};

/// Median length of the runs of equal rows (1: no row repeats another): M rows per sample of the
/// source where the logger polls it M times as fast.
Eigen::Index usualHold(const Eigen::Ref<const Eigen::MatrixXd>& Q);

/// Longest run of repeating rows that counts as held, L = max(8, 2.5 M) for M = usualHold from 3 on
/// and 8 below; longer runs are standstill.
Eigen::Index longestHold(Eigen::Index usual_hold);

/// Finds held rows: rows in runs of at most L repeating rows with
///   sum_j (slope_kj / resolution_j)^2 > 25
/// in all of them, where the slopes are chordSlopes over L. The steps right before and right behind
/// the run must exceed a quarter of the second smallest of the four steps over M rows farther away:
/// between two moves of a log of few rows per second, the robot rests for as few rows.
/// @param Q [N,n] positions
/// @param resolution [n] from incrementResolution
/// @param usual_hold M, of the whole log
/// @param statistics if not null: the counts are added to it
/// @returns [N] true for held rows
std::vector<bool> heldRows(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                           const Eigen::Ref<const Eigen::VectorXd>& resolution,
                           Eigen::Index usual_hold,
                           HoldStatistics* statistics = nullptr);

}  // namespace dynid
