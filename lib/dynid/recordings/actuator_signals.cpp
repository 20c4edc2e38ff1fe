#include "dynid/recordings/actuator_signals.h"

#include <Eigen/LU>

#include <utility>

namespace dynid {

ActuatorSignals atSamples(const ActuatorSignals& signals,
                          const std::vector<Eigen::Index>& samples) {
  ActuatorSignals chosen;
  const auto count = std::ssize(samples);
  const bool neighbours = count > 0 && samples.back() - samples.front() + 1 == count;
  const auto rows = [&](const auto& all, auto& part) {
    if (all.rows() == 0) return;
    if (neighbours) {
      part = all.middleRows(samples.front(), count);
    } else {
      part = all(samples, Eigen::all);
    }
  };
  rows(signals.joint.q, chosen.joint.q);
  rows(signals.joint.dq, chosen.joint.dq);
  rows(signals.joint.ddq, chosen.joint.ddq);
  if (signals.actuator) {
    chosen.actuator.emplace();
    rows(signals.actuator->q, chosen.actuator->q);
    rows(signals.actuator->dq, chosen.actuator->dq);
    rows(signals.actuator->ddq, chosen.actuator->ddq);
  }
  rows(signals.effort, chosen.effort);
  rows(signals.base.pose, chosen.base.pose);
  rows(signals.base.motion, chosen.base.motion);
  chosen.joint.time = signals.joint.time(samples);
  chosen.joint.grid_index.resize(samples.size());
  for (size_t i = 0; i < samples.size(); ++i)
    chosen.joint.grid_index[i] = signals.joint.grid_index[samples[i]];
  chosen.joint.unknown = signals.joint.unknown;
  size_t next = 0;
  for (const Segment& segment : signals.joint.segments) {
    const auto begin = static_cast<Eigen::Index>(next);
    while (next < samples.size() && samples[next] < segment.end) ++next;
    if (static_cast<Eigen::Index>(next) > begin)
      chosen.joint.segments.push_back({begin, static_cast<Eigen::Index>(next)});
  }
  chosen.still_speed = signals.still_speed;
  chosen.place = signals.place;
  return chosen;
}

ActuatorSignals positionsOf(ActuatorSignals signals) {
  if (signals.actuator) signals.actuator->dq = signals.actuator->ddq = {};
  signals.joint.dq = signals.joint.ddq = {};
  signals.effort = {};
  signals.base = {};
  return signals;
}

TransmissionSides::TransmissionSides(const Robot& robot, bool currents)
    : same_(robot.T.isIdentity(0.0) && robot.transmission_offset.isZero(0.0)),
      currents_(currents),
      to_joint_(Eigen::MatrixXd::Identity(robot.numJoints(), robot.numJoints())),
      to_actuator_(robot.T.inverse()),
      effort_to_actuator_(robot.T.transpose()),
      joint_offset_(Eigen::RowVectorXd::Zero(robot.numJoints())),
      actuator_offset_(-(to_actuator_ * robot.transmission_offset).transpose()) {
  for (Eigen::Index j = 0; j < to_joint_.rows(); ++j) {
    if (!robot.measured_at_actuator[j]) continue;
    any_at_actuator_ = true;
    to_joint_.row(j) = robot.T.row(j);
    joint_offset_(j) = robot.transmission_offset(j);
    to_actuator_.row(j) = Eigen::RowVectorXd::Unit(robot.numJoints(), j);
    actuator_offset_(j) = 0.0;
    effort_to_actuator_.row(j) = Eigen::RowVectorXd::Unit(robot.numJoints(), j);
  }
}

ActuatorSignals TransmissionSides::complete(ConditionedSignals recorded) const {
  ActuatorSignals signals;
  signals.joint = std::move(recorded);
  ConditionedSignals& joint = signals.joint;
  signals.effort = std::exchange(joint.effort, {});
  if (same_) return signals;
  signals.actuator =
      ActuatorMotion{(joint.q * to_actuator_.transpose()).rowwise() + actuator_offset_,
                     joint.dq * to_actuator_.transpose(),
                     joint.ddq * to_actuator_.transpose()};
  if (any_at_actuator_) {
    joint.q = (joint.q * to_joint_.transpose()).rowwise() + joint_offset_;
    joint.dq *= to_joint_.transpose();
    joint.ddq *= to_joint_.transpose();
  }
  if (signals.effort.size() > 0 && !currents_) signals.effort *= effort_to_actuator_.transpose();
  return signals;
}

}  // namespace dynid
