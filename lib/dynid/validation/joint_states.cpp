#include "dynid/validation/joint_states.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/robot/complete_limits.h"

#include <cmath>
#include <random>

namespace dynid {

JointStates::JointStates(const Robot& robot, std::uint64_t seed)
    : robot_(robot), alpha_(robot.numJoints()), x_(alpha_.size()) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  const int n = robot.numJoints();
  double phi = 2.0;
  for (int i = 0; i < 60; ++i) phi = std::pow(1.0 + phi, 1.0 / (n + 1));
  lower_.resize(n);
  upper_.resize(n);
  for (int j = 0; j < n; ++j) {
    const JointLimits limits = completeLimits(robot.joints[j].limits, robot.joints[j].prismatic);
    lower_(j) = limits.lower;
    upper_(j) = limits.upper;
    alpha_(j) = std::pow(phi, -(j + 1));
    x_(j) = uniform(random);
  }
}

Eigen::VectorXd JointStates::next() {
  return closablePosition(robot_, [this] {
    x_ += alpha_;
    x_ -= x_.array().floor().matrix();
    return Eigen::VectorXd(lower_ + x_.cwiseProduct(upper_ - lower_));
  });
}

}  // namespace dynid
