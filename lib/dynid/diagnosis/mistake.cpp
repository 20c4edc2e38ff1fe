#include "dynid/diagnosis/mistake.h"

#include <numeric>
#include <utility>

namespace dynid {
namespace {

using Eigen::Index;
using Kind = Mistake::Kind;

/// Channel c takes the logged column order[c].
EffortAssignment reordered(const std::vector<int>& order, const Eigen::VectorXd& gains) {
  EffortAssignment assignment = asLogged(gains.size());
  for (Index c = 0; c < gains.size(); ++c) {
    const Index from = order[static_cast<size_t>(c)];
    assignment.source[static_cast<size_t>(c)] = from;
    if (gains.allFinite()) assignment.factor(c) = gains(c) / gains(from);
  }
  return assignment;
}

std::vector<int> exchanged(const std::vector<int>& joints, Index channels) {
  std::vector<int> order(static_cast<size_t>(channels));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<size_t>(joints[0])], order[static_cast<size_t>(joints[1])]);
  return order;
}

bool concerns(const Mistake& mistake, Index channel, const Robot& robot) {
  if (mistake.joints.empty()) return !robot.joints[static_cast<size_t>(channel)].prismatic;
  return mistake.joints.front() == channel;
}

}  // namespace

ColumnMotion undoneMotion(const Mistake& mistake, const ColumnMotion& motion, const Robot& robot) {
  ColumnMotion changed = motion;
  const auto each = [&](const auto& change) {
    for (Eigen::MatrixXd* matrix : {&changed.q, &changed.dq, &changed.ddq}) change(*matrix);
  };
  const auto reorder = [&](const std::vector<int>& order) {
    each([&](Eigen::MatrixXd& values) { values = values(Eigen::all, order).eval(); });
  };
  switch (mistake.kind) {
    case Kind::kPositionSign:
    case Kind::kAxisSign:
      each([&](Eigen::MatrixXd& values) { values.col(mistake.joints.front()) *= -1.0; });
      break;
    case Kind::kPositionSwap:
    case Kind::kColumnSwap:
      reorder(exchanged(mistake.joints, motion.q.cols()));
      break;
    case Kind::kPositionOrder:
    case Kind::kColumnOrder:
      reorder(mistake.order);
      break;
    case Kind::kPositionZero:
      changed.q.col(mistake.joints.front()).array() -= mistake.value;
      break;
    case Kind::kPositionUnit:
      each([&](Eigen::MatrixXd& values) {
        for (Index c = 0; c < values.cols(); ++c)
          if (concerns(mistake, c, robot)) values.col(c) *= mistake.value;
      });
      break;
    case Kind::kTimeScale:
      changed.dq /= mistake.value;
      changed.ddq /= mistake.value * mistake.value;
      break;
    case Kind::kEffortSign:
    case Kind::kEffortSwap:
    case Kind::kEffortOrder:
    case Kind::kEffortScale:
    case Kind::kGravity:
      break;
  }
  return changed;
}

EffortAssignment undoneEfforts(const Mistake& mistake, const Eigen::VectorXd& gains) {
  EffortAssignment assignment = asLogged(gains.size());
  switch (mistake.kind) {
    case Kind::kEffortSign:
    case Kind::kAxisSign:
      if (mistake.joints.empty()) assignment.factor.setConstant(-1.0);
      for (const int joint : mistake.joints) assignment.factor(joint) = -1.0;
      break;
    case Kind::kEffortScale:
      assignment.factor(mistake.joints.front()) = mistake.value;
      break;
    case Kind::kEffortSwap:
    case Kind::kColumnSwap:
      return reordered(exchanged(mistake.joints, gains.size()), gains);
    case Kind::kEffortOrder:
    case Kind::kColumnOrder:
      return reordered(mistake.order, gains);
    case Kind::kPositionSign:
    case Kind::kPositionZero:
    case Kind::kPositionSwap:
    case Kind::kPositionOrder:
    case Kind::kGravity:
    case Kind::kTimeScale:
    case Kind::kPositionUnit:
      break;
  }
  return assignment;
}

}  // namespace dynid
