#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <cstdint>

namespace dynid {

/// States distributed evenly over the joint ranges: a low-discrepancy sequence (additive recurrence
/// of Roberts 2018), x_i = frac(shift + i phi^-(1..n)), phi^(n+1) = phi + 1. Ranges that the
/// description does not give: completeLimits. Positions in which a loop does not close are skipped.
class JointStates {
 public:
  /// @param seed  determines the shift
  JointStates(const Robot& robot, std::uint64_t seed);
  /// The next state [joints], rad or m.
  Eigen::VectorXd next();

 private:
  Robot robot_;
  Eigen::VectorXd alpha_, x_, lower_, upper_;
};

}  // namespace dynid
