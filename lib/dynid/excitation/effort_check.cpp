#include "dynid/excitation/effort_check.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/newton_euler.h"
#include "dynid/dynamics/projection.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/loop_closure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace dynid {
namespace {

constexpr int kPostures = 1000, kImproved = 20, kDirections = 40;
constexpr double kFinestStep = 1e-4;  // relative to a joint's range
// With a smaller excess a suitable posture may have been missed; the search for a motion then
// decides.
constexpr double kCertain = 1.05;

Eigen::VectorXd restingEfforts(const Robot& robot, const Eigen::VectorXd& q) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(1, q.size());
  return effortPeaks(robot, {q.transpose(), zero, zero});
}

// Sum of squared excesses over the limits, which is smooth unlike their maximum.
double excess(const Robot& robot, const MotionLimits& limits, const Eigen::VectorXd& q) {
  if (!robot.loops.empty() && !closedPosition(robot, q).closed) return kInfinity;
  const Eigen::ArrayXd share = restingEfforts(robot, q).array() / limits.effort.array();
  return (share - 1.0).max(0.0).square().sum();
}

struct Posture {
  Eigen::VectorXd q;
  double excess = 0.0;
};

// Local minimisation along random directions, with steps that shrink when no direction helps. Steps
// along single joints would stop in narrow valleys.
void improve(const Robot& robot,
             const MotionLimits& limits,
             RandomStream& random,
             Posture& posture) {
  const Eigen::VectorXd range = limits.upper - limits.lower;
  for (double step = 0.1; step > kFinestStep && posture.excess > 0.0;) {
    bool better = false;
    for (int i = 0; i < kDirections && !better; ++i) {
      Posture next = posture;
      for (Eigen::Index j = 0; j < range.size(); ++j)
        next.q(j) += step * range(j) * random.normal();
      next.q = next.q.cwiseMax(limits.lower).cwiseMin(limits.upper);
      next.excess = excess(robot, limits, next.q);
      better = next.excess < posture.excess;
      if (better) posture = next;
    }
    step *= better ? 1.5 : 0.5;
  }
}

// The posture with the smallest excess: the centre of the ranges and random postures, of which the
// best are improved. Stops at the first posture without excess.
Posture easiestToHold(const Robot& robot, const MotionLimits& limits) {
  RandomStream random(1, 0);
  std::vector<Posture> postures;
  for (int i = 0; i < kPostures; ++i) {
    Posture posture{limits.middle()};
    for (Eigen::Index j = 0; i > 0 && j < posture.q.size(); ++j)
      posture.q(j) = random.uniform(limits.lower(j), limits.upper(j));
    posture.excess = excess(robot, limits, posture.q);
    if (posture.excess == 0.0) return posture;
    postures.push_back(std::move(posture));
  }
  const auto easier = [](const Posture& a, const Posture& b) { return a.excess < b.excess; };
  std::partial_sort(postures.begin(), postures.begin() + kImproved, postures.end(), easier);
  for (int i = 0; i < kImproved; ++i) {
    improve(robot, limits, random, postures[i]);
    if (postures[i].excess == 0.0) return postures[i];
  }
  return *std::min_element(postures.begin(), postures.begin() + kImproved, easier);
}

Eigen::MatrixXd treeEfforts(const Robot& robot,
                            const Eigen::VectorXd& pi,
                            const MotionSamples& motion) {
  Eigen::MatrixXd efforts(motion.q.rows(), robot.numJoints());
  NewtonEulerScratch<double> scratch;
  Eigen::VectorXd tau;
  for (Eigen::Index i = 0; i < efforts.rows(); ++i) {
    const Eigen::VectorXd q = motion.q.row(i), dq = motion.dq.row(i), ddq = motion.ddq.row(i);
    inverseDynamics<double>(robot, pi, q, dq, ddq, scratch, tau);
    efforts.row(i) = tau;
  }
  return efforts;
}

// By the regressor, which tracks the loops from sample to sample and is therefore several times
// faster.
Eigen::MatrixXd mechanismEfforts(const Robot& robot,
                                 const Eigen::VectorXd& pi,
                                 const MotionSamples& motion) {
  const ProjectionRegressor regressor(std::make_shared<const Robot>(robot));
  std::vector<Eigen::MatrixXd> Y;
  regressor.evaluate(motion.q, motion.dq, motion.ddq, Y);
  Eigen::MatrixXd efforts(motion.q.rows(), robot.numJoints());
  for (int j = 0; j < robot.numJoints(); ++j) efforts.col(j) = Y[j] * pi(regressor.columns(j));
  return efforts;
}

}  // namespace

Eigen::VectorXd describedParameters(const Robot& robot) {
  Eigen::VectorXd pi = Eigen::VectorXd::Constant(Eigen::Index{10} * robot.numBodies(),
                                                 std::numeric_limits<double>::quiet_NaN());
  for (size_t k = 0; k < robot.bodies.size(); ++k)
    if (robot.bodies[k].prior) pi.segment<10>(10 * k) = *robot.bodies[k].prior;
  return pi;
}

bool hasPrior(const Robot& robot, int joint) {
  const std::vector<bool> moved = robot.bodiesMovedBy(joint);
  for (size_t k = 0; k < moved.size(); ++k)
    if (moved[k] && !robot.bodies[k].prior) return false;
  return true;
}

Eigen::MatrixXd describedEfforts(const Robot& robot, const MotionSamples& motion) {
  std::vector<bool> known;
  for (int j = 0; j < robot.numJoints(); ++j) known.push_back(hasPrior(robot, j));
  Eigen::MatrixXd efforts = Eigen::MatrixXd::Zero(motion.q.rows(), motion.q.cols());
  if (std::none_of(known.begin(), known.end(), [](bool is) { return is; })) return efforts;
  Eigen::VectorXd pi = describedParameters(robot);
  pi = pi.array().isNaN().select(0.0, pi);  // no joint with a prior moves these bodies
  const Eigen::MatrixXd tau =
      robot.loops.empty() ? treeEfforts(robot, pi, motion) : mechanismEfforts(robot, pi, motion);
  for (int j = 0; j < robot.numJoints(); ++j) {
    if (!known[j]) continue;
    const Joint& joint = robot.joints[j];
    efforts.col(j) =
        tau.col(j) + joint.drive_inertia * motion.ddq.col(j) + joint.damping * motion.dq.col(j) +
        (joint.stiffness * (motion.q.col(j).array() - joint.spring_reference)).matrix();
  }
  return efforts;
}

Eigen::VectorXd effortPeaks(const Robot& robot, const MotionSamples& motion) {
  Eigen::VectorXd peaks = describedEfforts(robot, motion).cwiseAbs().colwise().maxCoeff();
  for (int j = 0; j < robot.numJoints(); ++j)
    if (hasPrior(robot, j)) peaks(j) += robot.joints[j].friction;
  return peaks;
}

std::vector<std::string> tooWeakToRest(const Robot& robot, const MotionLimits& limits) {
  std::vector<std::string> reasons;
  if (!limits.effort.array().isFinite().any()) return reasons;
  const Posture posture = easiestToHold(robot, limits);
  if (posture.excess == 0.0 || !std::isfinite(posture.excess)) return reasons;
  const Eigen::VectorXd efforts = restingEfforts(robot, posture.q);
  if ((efforts.array() <= kCertain * limits.effort.array()).all()) return reasons;
  for (int j = 0; j < robot.numJoints(); ++j) {
    const double beyond = efforts(j) - limits.effort(j);
    if (!(beyond > 0.0)) continue;
    const Joint& joint = robot.joints[j];
    reasons.push_back(joint.name + ": to hold the robot still takes " + toText(efforts(j), 4) +
                      (joint.prismatic ? " N" : " N m") +
                      " in the easiest posture that was found, " + toText(beyond, 3) +
                      " more than the effort limit " + toText(limits.effort(j), 4) +
                      "; raise the limit or `effort_share`, correct the description's inertias "
                      "and gravity, or use `ignore_effort`");
  }
  return reasons;
}

}  // namespace dynid
