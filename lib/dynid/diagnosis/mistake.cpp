#include "dynid/diagnosis/mistake.h"

#include "dynid/diagnosis/channel_columns.h"
#include "dynid/diagnosis/hypothesis_score.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

std::vector<int> exchanged(const std::vector<int>& joints, Index channels) {
  std::vector<int> order(channels);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[joints[0]], order[joints[1]]);
  return order;
}

void checkJoints(const Mistake& mistake, Index n) {
  const bool swaps = mistake.kind == Kind::kEffortSwap || mistake.kind == Kind::kPositionSwap ||
                     mistake.kind == Kind::kColumnSwap;
  const bool orders = mistake.kind == Kind::kEffortOrder || mistake.kind == Kind::kPositionOrder ||
                      mistake.kind == Kind::kColumnOrder;
  const Index least = swaps ? 2 : (mistake.kind == Kind::kPositionZero ? 1 : 0);
  const auto unknown = [&](int joint) { return joint < 0 || joint >= n; };
  if (std::ssize(mistake.joints) < least || (orders && std::ssize(mistake.order) != n) ||
      std::any_of(mistake.joints.begin(), mistake.joints.end(), unknown) ||
      std::any_of(mistake.order.begin(), mistake.order.end(), unknown))
    throw std::invalid_argument(
        fmt::format("the mistake names the joints [{}] and the order [{}]; expected at least {} "
                    "joints and an order of all, or none, of {} columns",
                    fmt::join(mistake.joints, ", "),
                    fmt::join(mistake.order, ", "),
                    least,
                    n));
}

/// `value` for the channels that the mistake names (all if it names none), 1 for the others.
Eigen::VectorXd factorOfJoints(const std::vector<int>& joints, double value, Index channels) {
  Eigen::VectorXd factor = Eigen::VectorXd::Constant(channels, joints.empty() ? value : 1.0);
  for (const int joint : joints) factor(joint) = value;
  return factor;
}

/// Effort limit of every joint over the number that stands for it in the log.
Eigen::VectorXd factorOfLimits(const Robot& robot, double whole) {
  Eigen::VectorXd factor(robot.numJoints());
  for (Index c = 0; c < factor.size(); ++c) factor(c) = robot.joints[c].limits.effort / whole;
  return factor;
}

/// `value` for the angles that the mistake names (all angles if it names none).
Eigen::VectorXd factorOfAngles(const Mistake& mistake, const Robot& robot) {
  Eigen::VectorXd factor = factorOfJoints(mistake.joints, mistake.value, robot.numJoints());
  for (Index c = 0; c < factor.size(); ++c)
    if (robot.joints[c].prismatic) factor(c) = 1.0;
  return factor;
}

}  // namespace

bool areTheSame(const Mistake& a, const Mistake& b) {
  constexpr double kNear = 0.1;
  return a.kind == b.kind && a.joints == b.joints && a.order == b.order &&
         std::abs(a.value - b.value) <= kNear * std::max(std::abs(a.value), std::abs(b.value)) &&
         (a.direction - b.direction).norm() <= kNear * a.direction.norm();
}

bool isDegrees(const Mistake& mistake) {
  return mistake.kind == Kind::kPositionUnit && mistake.value < 1.0;
}

bool isOfDescription(const Mistake& mistake) {
  return mistake.kind == Kind::kJointSide || mistake.kind == Kind::kDriveSide ||
         mistake.kind == Kind::kMixedSides || mistake.kind == Kind::kGravity ||
         mistake.kind == Kind::kJointAxis;
}

bool isReversible(const Mistake& mistake) {
  return !isOfDescription(mistake) && mistake.kind != Kind::kNoGravity &&
         mistake.kind != Kind::kEffortDelay && mistake.kind != Kind::kPositionDelay &&
         mistake.kind != Kind::kPositionStep;
}

LogCorrection correctionOf(const Mistake& mistake, const Robot& robot) {
  const Index n = robot.numJoints();
  checkJoints(mistake, n);
  LogCorrection correction;
  switch (mistake.kind) {
    case Kind::kEffortSign:
      correction.effort_factor = factorOfJoints(mistake.joints, -1.0, n);
      break;
    case Kind::kEffortScale:
      correction.effort_factor = factorOfJoints(mistake.joints, mistake.value, n);
      break;
    case Kind::kEffortShare:
      correction.effort_factor = factorOfLimits(robot, mistake.value);
      break;
    case Kind::kEffortSwap:
      correction.effort_source = exchanged(mistake.joints, n);
      break;
    case Kind::kEffortOrder:
      correction.effort_source = mistake.order;
      break;
    case Kind::kPositionScale:
      correction.position_factor = factorOfJoints(mistake.joints, mistake.value, n);
      break;
    case Kind::kPositionSign:
      correction.position_factor = factorOfJoints(mistake.joints, -1.0, n);
      break;
    case Kind::kAxisSign:
      correction.position_factor = factorOfJoints(mistake.joints, -1.0, n);
      correction.effort_factor = correction.position_factor;
      break;
    case Kind::kPositionZero:
      correction.position_shift = Eigen::VectorXd::Zero(n);
      correction.position_shift(mistake.joints.front()) = -mistake.value;
      break;
    case Kind::kPositionUnit:
      correction.position_factor = factorOfAngles(mistake, robot);
      break;
    case Kind::kPositionSwap:
      correction.position_source = exchanged(mistake.joints, n);
      break;
    case Kind::kPositionOrder:
      correction.position_source = mistake.order;
      break;
    case Kind::kColumnSwap:
      correction.position_source = correction.effort_source = exchanged(mistake.joints, n);
      break;
    case Kind::kColumnOrder:
      correction.position_source = correction.effort_source = mistake.order;
      break;
    case Kind::kTimeScale:
      correction.time_factor = mistake.value;
      break;
    case Kind::kEffortDelay:
    case Kind::kPositionDelay:
    case Kind::kGravity:
    case Kind::kJointAxis:
    case Kind::kJointSide:
    case Kind::kDriveSide:
    case Kind::kMixedSides:
    case Kind::kNoGravity:
    case Kind::kPositionStep:
      break;
  }
  return correction;
}

ColumnMotion undoneMotion(const Mistake& mistake, const ColumnMotion& motion, const Robot& robot) {
  ColumnMotion changed = motion;
  apply(correctionOf(mistake, robot), changed.q, changed.dq, changed.ddq);
  return changed;
}

EffortAssignment undoneEfforts(const Mistake& mistake,
                               const Robot& robot,
                               const Eigen::VectorXd& gains) {
  const LogCorrection correction = correctionOf(mistake, robot);
  EffortAssignment assignment = asLogged(gains.size());
  if (correction.effort_factor.size() > 0) assignment.factor = correction.effort_factor;
  for (size_t c = 0; c < correction.effort_source.size(); ++c) {
    const Index from = correction.effort_source[c], channel = static_cast<Index>(c);
    assignment.source[c] = from;
    if (gains.allFinite()) assignment.factor(channel) *= gains(channel) / gains(from);
  }
  return assignment;
}

}  // namespace dynid
