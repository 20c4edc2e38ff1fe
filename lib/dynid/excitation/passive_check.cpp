#include "dynid/excitation/passive_check.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/math/random_stream.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kPositions = 300;  // random positions within the ranges

void complain(const Joint& joint,
              const char* what,
              double value,
              double limit,
              std::vector<std::string>& found) {
  if (value > limit)
    found.push_back("passive joint " + joint.name + ": " + what + " reaches " + toText(value, 4) +
                    ", its limit is " + toText(limit, 4));
}

}  // namespace

std::vector<std::string> mechanismViolations(const Robot& robot, const MotionSamples& motion) {
  std::vector<std::string> found;
  if (robot.loops.empty()) return found;
  const Eigen::Index n = robot.numJoints(), passive = robot.numTreeJoints() - n;
  Eigen::VectorXd lower = Eigen::VectorXd::Constant(passive, kInfinity), upper = -lower;
  Eigen::VectorXd velocity = Eigen::VectorXd::Zero(passive), acceleration = velocity;
  ClosedPosition closed;
  try {
    for (Eigen::Index i = 0; i < motion.q.rows(); ++i) {
      Eigen::VectorXd q = motion.q.row(i), dq = motion.dq.row(i), ddq = motion.ddq.row(i);
      trackClosed(robot, q, closed);
      closedMotion<double>(robot, closed, q, dq, ddq);
      lower = lower.cwiseMin(q.tail(passive));
      upper = upper.cwiseMax(q.tail(passive));
      velocity = velocity.cwiseMax(dq.tail(passive).cwiseAbs());
      acceleration = acceleration.cwiseMax(ddq.tail(passive).cwiseAbs());
    }
  } catch (const InputError& error) {
    return {error.what()};
  }
  for (Eigen::Index p = 0; p < passive; ++p) {
    const Joint& joint = robot.passive_joints[p];
    complain(joint, "position", upper(p), joint.limits.upper, found);
    complain(joint, "position below, negative,", -lower(p), -joint.limits.lower, found);
    complain(joint, "velocity", velocity(p), joint.limits.velocity, found);
    complain(joint, "acceleration", acceleration(p), joint.limits.acceleration, found);
  }
  return found;
}

void checkMechanismRange(const Robot& robot,
                         const Eigen::VectorXd& lower,
                         const Eigen::VectorXd& upper,
                         std::vector<std::string>& notes,
                         std::vector<std::string>& reasons) {
  if (robot.loops.empty()) return;
  RandomStream random(1, 0);
  int open = 0;
  std::string why;
  for (int i = 0; i < kPositions; ++i) {
    Eigen::VectorXd q(lower.size());
    for (Eigen::Index j = 0; j < q.size(); ++j) q(j) = random.uniform(lower(j), upper(j));
    const ClosedPosition closed = closedPosition(robot, q);
    if (closed.closed) continue;
    if (++open == 1) why = closed.reason;
  }
  if (open == kPositions)
    reasons.push_back("the loops close nowhere in the ranges of the driven joints: " + why +
                      "; correct their position limits");
  else if (open > 0)
    notes.push_back(
        "in " + toText(100.0 * open / kPositions, 3) +
        " % of the ranges of the driven joints the loops do not close; the motion keeps "
        "away from there, and narrower position limits make the search easier. Such a "
        "place: " +
        why);
  notes.emplace_back(
      "passive joints: their limits, and that the loops close, hold at the samples of a dense "
      "grid, "
      "not at every time");
}

}  // namespace dynid
