#include "dynid/excitation/effort_check.h"

#include "dynid/dynamics/newton_euler.h"

#include <cmath>
#include <limits>
#include <vector>

namespace dynid {

Eigen::VectorXd describedParameters(const Robot& robot) {
  Eigen::VectorXd pi = Eigen::VectorXd::Constant(Eigen::Index{10} * robot.numBodies(),
                                                 std::numeric_limits<double>::quiet_NaN());
  for (size_t k = 0; k < robot.bodies.size(); ++k)
    if (robot.bodies[k].prior)
      pi.segment<10>(static_cast<Eigen::Index>(10 * k)) = *robot.bodies[k].prior;
  return pi;
}

bool hasPrior(const Robot& robot, int joint) {
  const std::vector<bool> moved = robot.bodiesMovedBy(joint);
  for (size_t k = 0; k < moved.size(); ++k)
    if (moved[k] && !robot.bodies[k].prior) return false;
  return true;
}

Eigen::VectorXd effortPeaks(const Robot& robot, const MotionSamples& motion) {
  std::vector<bool> known;
  bool any = false;
  for (int j = 0; j < robot.numJoints(); ++j) {
    known.push_back(hasPrior(robot, j));
    any = any || known.back();
  }
  Eigen::VectorXd peaks = Eigen::VectorXd::Zero(robot.numJoints());
  if (!any) return peaks;
  Eigen::VectorXd pi = describedParameters(robot);
  for (double& value : pi)
    if (std::isnan(value)) value = 0.0;  // no joint with a prior moves that body
  NewtonEulerScratch<double> scratch;
  Eigen::VectorXd tau;
  for (Eigen::Index i = 0; i < motion.q.rows(); ++i) {
    const Eigen::VectorXd q = motion.q.row(i), dq = motion.dq.row(i), ddq = motion.ddq.row(i);
    inverseDynamics<double>(robot, pi, q, dq, ddq, scratch, tau);
    for (int j = 0; j < robot.numJoints(); ++j) {
      const Joint& joint = robot.joints[static_cast<size_t>(j)];
      if (known[static_cast<size_t>(j)])
        peaks(j) = std::max(peaks(j), std::abs(tau(j) + joint.damping * dq(j)) + joint.friction);
    }
  }
  return peaks;
}

}  // namespace dynid
