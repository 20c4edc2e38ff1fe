#include "dynid/recordings/closing_positions.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kSlack = 0.05;  // of the range of a joint, beyond its limits

// Whether all but kOpenRows of the positions are within the limits of the driven joints.
bool withinLimits(const Robot& robot, const Eigen::MatrixXd& positions) {
  Index outside = 0;
  for (Index r = 0; r < positions.rows(); ++r) {
    const Eigen::VectorXd q = drivenPosition(robot, positions.row(r).transpose());
    const auto leaves = [&](Index j) {
      const JointLimits& limits = robot.joints[j].limits;
      const double slack = kSlack * (limits.upper - limits.lower);
      if (!(slack > 0.0)) return false;  // no limits, or none that leave room to move
      return q(j) < limits.lower - slack || q(j) > limits.upper + slack;
    };
    bool any = false;
    for (Index j = 0; j < q.size(); ++j) any = any || leaves(j);
    outside += any;
  }
  return static_cast<double>(outside) <= kOpenRows * static_cast<double>(positions.rows());
}

std::vector<PositionChange> singleChanges(const Robot& robot) {
  using Kind = PositionChange::Kind;
  std::vector<PositionChange> changes;
  const int n = robot.numJoints();
  for (int j = 0; j < n; ++j) changes.push_back({Kind::kSign, {j}});
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      if (robot.joints[i].prismatic == robot.joints[j].prismatic)
        changes.push_back({Kind::kExchange, {i, j}});
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  for (int j = 0; j < n; ++j)
    if (!robot.joints[j].prismatic)
      for (const double angle : {kQuarter, -kQuarter, 2.0 * kQuarter})
        changes.push_back({Kind::kTurn, {j}, angle});
  return changes;
}

}  // namespace

Eigen::VectorXd drivenPosition(const Robot& robot, const Eigen::VectorXd& columns) {
  Eigen::VectorXd q = columns.head(robot.numJoints());
  const Eigen::VectorXd recorded = q;
  for (Index j = 0; j < q.size(); ++j)
    if (robot.measured_at_actuator[j])
      q(j) = robot.T.row(j).dot(recorded) + robot.transmission_offset(j);
  return q;
}

void closeNext(const Robot& robot, const Eigen::VectorXd& q, ClosedPosition& position) {
  if (position.closed) position = followLoops(robot, position, q);
  if (!position.closed) position = closedPosition(robot, q);
}

bool loopsCloseAt(const Robot& robot, const Eigen::MatrixXd& positions) {
  const double allowed = kOpenRows * static_cast<double>(positions.rows());
  double open = 0.0;
  ClosedPosition position;
  for (Index r = 0; r < positions.rows(); ++r) {
    const Eigen::VectorXd q = drivenPosition(robot, positions.row(r).transpose());
    if (!q.allFinite()) continue;
    closeNext(robot, q, position);
    if (position.closed) continue;
    open += 1.0;
    if (open > allowed) return false;
  }
  return true;
}

Eigen::MatrixXd changed(const PositionChange& change, const Eigen::MatrixXd& positions) {
  Eigen::MatrixXd after = positions;
  const int first = change.joints.front(), last = change.joints.back();
  switch (change.kind) {
    case PositionChange::Kind::kSign:
      after.col(first) *= -1.0;
      break;
    case PositionChange::Kind::kExchange:
      after.col(first).swap(after.col(last));
      break;
    case PositionChange::Kind::kTurn:
      after.col(first).array() -= change.angle;
      break;
  }
  return after;
}

std::string statementOf(const PositionChange& change, const std::vector<std::string>& names) {
  const std::string& first = names[change.joints.front()];
  switch (change.kind) {
    case PositionChange::Kind::kSign:
      return fmt::format("the position of {} has the opposite sign", first);
    case PositionChange::Kind::kExchange:
      return fmt::format(
          "the positions of {} and {} are exchanged", first, names[change.joints.back()]);
    case PositionChange::Kind::kTurn:
      break;
  }
  return fmt::format("the zero of the position of {} is off by {:.0f} degrees",
                     first,
                     change.angle * 180.0 / std::numbers::pi);
}

std::vector<PositionChange> changesThatClose(const Robot& robot, const Eigen::MatrixXd& positions) {
  std::vector<PositionChange> closing;
  if (robot.loops.empty() || positions.rows() == 0) return closing;
  for (const PositionChange& change : singleChanges(robot)) {
    const Eigen::MatrixXd after = changed(change, positions);
    if (withinLimits(robot, after) && loopsCloseAt(robot, after)) closing.push_back(change);
  }
  return closing;
}

}  // namespace dynid
