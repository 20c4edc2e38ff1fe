#pragma once

#include "dynid/recordings/base_signals.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/condition.h"

#include <Eigen/Core>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace dynid {

/// Where a window is in its log: a core, and margins around it. The cores tile the log.
struct WindowPlace {
  std::int64_t first_row = 0, end_row = 0;  ///< raw rows of the core
  std::int64_t raw_first_row = 0;           ///< of all raw rows, margins included
  double begin = 0.0, end = 0.0;            ///< begin <= time < end in the core, on the clock
};

/// Motion of the actuators, [samples x actuators] each.
struct ActuatorMotion {
  Eigen::MatrixXd q, dq, ddq;
};

/// A stretch of a log on the uniform clock, seen from both sides of the transmission. Motion is
/// filtered, effort is not.
struct ActuatorSignals {
  ConditionedSignals joint;  ///< joint side; its effort is the one below
  /// Nothing: every joint has an actuator of its own without a ratio, both sides are the same.
  std::optional<ActuatorMotion> actuator;
  Eigen::MatrixXd effort;       ///< [samples x actuators] N m or N; A where the log holds currents
  Eigen::VectorXd still_speed;  ///< [actuators] rad/s or m/s; below it an actuator is at rest
  WindowPlace place;
  RowCounts counts;  ///< of the core's rows
  BaseSignals base;  ///< of the joints' samples
  /// What it was made from, where a pass keeps it: time, position and effort of the raw rows, the
  /// base's channels of them, and the positions on the clock before the filter.
  RawSignals raw;
  BaseSamples raw_base;
  Eigen::MatrixXd recorded_q;

  /// Motion of the actuators.
  const Eigen::MatrixXd& q() const { return actuator ? actuator->q : joint.q; }
  const Eigen::MatrixXd& dq() const { return actuator ? actuator->dq : joint.dq; }
  const Eigen::MatrixXd& ddq() const { return actuator ? actuator->ddq : joint.ddq; }
  bool moves(Eigen::Index sample, Eigen::Index a) const {
    return std::abs(dq()(sample, a)) > still_speed(a);
  }
};

/// The signals at some samples only (`raw` is left out).
ActuatorSignals atSamples(const ActuatorSignals& signals, const std::vector<Eigen::Index>& samples);
/// Only what the presliding states follow from.
ActuatorSignals positionsOf(ActuatorSignals signals);

/// Completes both sides of the transmission from columns that were recorded on either:
///
///     q_joint = T q_actuator + offset,   effort_actuator = T^T effort_joint
class TransmissionSides {
 public:
  /// @param currents  the log's efforts are currents, of the actuators whatever the description
  TransmissionSides(const Robot& robot, bool currents);

  /// @param recorded  columns as recorded; still speeds and everything about windows is left open
  ActuatorSignals complete(ConditionedSignals recorded) const;

 private:
  bool same_ = true;  // both sides are
  bool any_at_actuator_ = false;
  bool currents_ = false;
  Eigen::MatrixXd to_joint_, to_actuator_, effort_to_actuator_;
  Eigen::RowVectorXd joint_offset_, actuator_offset_;
};

}  // namespace dynid
