#pragma once

#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/diagnosis/mistake.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Ratio of a position in degrees to that of the joint.
inline constexpr double kDegreesRatio = 1.0 / kDegree;
/// Ends of the range of ratios that are tried.
inline constexpr double kSmallestPositionRatio = 7.8, kLargestPositionRatio = 423.0;

/// What the efforts say about positions that look like degrees. Angles of motors do as well: the
/// ratio of logged position and joint position is then the gear ratio, usually 30 to 200.
struct PositionRatio {
  double ratio = kDegreesRatio;  ///< explains the efforts clearly better; 57.3: none does
  double gain = 0.0;             ///< [nat] of that ratio over degrees
  /// Smallest and largest ratio that explain the efforts as well as degrees (less than
  /// kSmallestGain apart); both are 57.3 where none of the ratios that were tried does.
  double lowest = kDegreesRatio, highest = kDegreesRatio;

  bool isDegrees() const { return ratio == kDegreesRatio; }
};

/// Fits the excerpt with one common ratio r of the positions of `joints`:
///
///     q_joint = q_log / r,   r = 57.3 exp(0.1 k),   k = -20 to 20   (7.8 to 423),
///
/// and compares the scores (HypothesisScore::objective) with that of degrees. Another ratio is
/// clearly better if it gains kSmallestGain, if four of five folds gain, if it explains the joints,
/// and if it is not at an end of the range. A ratio of a single joint, and one within 35 % of 57.3,
/// needs kPlainCertainty: on right logs, factors of one joint and those near 1, which compensate an
/// inexact description, gain up to 1.1 nat (experiments/mistakes).
/// @param motion   the excerpt's motion, with the positions already converted from degrees
/// @param joints   log columns that seem to be in degrees; empty: all angles
/// @param gains    as in tryHypotheses
/// @param threads  the result does not depend on it
/// @throws InputError where the loops of the robot do not close in `motion`
PositionRatio findPositionRatio(const std::shared_ptr<const Robot>& robot,
                                const LogExcerpt& excerpt,
                                const ColumnMotion& motion,
                                const std::vector<int>& joints,
                                const Eigen::VectorXd& gains,
                                int threads);

/// The finding that refuses a log whose positions another ratio than that of degrees explains.
/// @param joints  as in findPositionRatio
/// @param names   of the log columns
Finding findingOf(const PositionRatio& ratio,
                  const std::vector<int>& joints,
                  const std::vector<std::string>& names);

}  // namespace dynid
