#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <cstdint>

namespace dynid {

/// States spread evenly over the joint ranges: the additive recurrence of lowest known discrepancy
/// (Roberts 2018), x_i = frac(shift + i phi^-(1..n)), phi^(n+1) = phi + 1. Joints without limits:
/// one turn, or 1 m, to either side. Positions in which a loop does not close are passed over.
class JointStates {
 public:
  /// @param seed  of the shift
  JointStates(const Robot& robot, std::uint64_t seed);
  Eigen::VectorXd next();

 private:
  Robot robot_;
  Eigen::VectorXd alpha_, x_, lower_, upper_;
};

}  // namespace dynid
