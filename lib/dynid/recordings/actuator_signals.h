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

/// Position of a window in its log: a core and margins on both sides. The cores cover the log
/// without gaps or overlaps.
struct WindowPlace {
  std::int64_t first_row = 0, end_row = 0;  ///< raw rows of the core
  std::int64_t raw_first_row = 0;           ///< first raw row including the margin
  double begin = 0.0, end = 0.0;            ///< times of the core on the clock: begin <= time < end
};

/// Motion of the actuators, [samples x actuators] each.
struct ActuatorMotion {
  Eigen::MatrixXd q, dq, ddq;
};

/// A section of a log on the uniform clock, on both sides of the transmission. Motion is filtered,
/// effort is not.
struct ActuatorSignals {
  ConditionedSignals joint;  ///< joint side; its effort is not used, see `effort`
  /// Motion of the actuators. Empty if every joint has one actuator with ratio one, so that both
  /// sides are the same.
  std::optional<ActuatorMotion> actuator;
  Eigen::MatrixXd effort;  ///< [samples x actuators] N m or N; A if the log contains currents
  /// [actuators] rad/s or m/s; an actuator below this speed is at standstill
  Eigen::VectorXd still_speed;
  WindowPlace place;  ///< position of the window in its log
  RowCounts counts;   ///< of the rows in the core
  BaseSignals base;   ///< at the samples of `joint`
  /// The input of the window, if a pass keeps it: time, position and effort of the raw rows, the
  /// base channels of these rows, and the positions on the clock before filtering.
  RawSignals raw;
  BaseSamples raw_base;        ///< channels of the base at the raw rows
  Eigen::MatrixXd recorded_q;  ///< [samples x joints] positions on the clock before filtering
  /// [raw rows x columns] The efforts of a window of motion only, which `raw` does not have then
  Eigen::MatrixXd recorded_effort;

  /// Motion on the actuator side, [samples x actuators].
  const Eigen::MatrixXd& q() const { return actuator ? actuator->q : joint.q; }
  const Eigen::MatrixXd& dq() const { return actuator ? actuator->dq : joint.dq; }
  const Eigen::MatrixXd& ddq() const { return actuator ? actuator->ddq : joint.ddq; }
  /// Whether an actuator moves at a sample: its speed exceeds `still_speed`.
  bool moves(Eigen::Index sample, Eigen::Index a) const {
    return std::abs(dq()(sample, a)) > still_speed(a);
  }
};

/// The signals at some of the samples (without `raw`).
ActuatorSignals atSamples(const ActuatorSignals& signals, const std::vector<Eigen::Index>& samples);
/// Only the signals from which presliding states are computed.
ActuatorSignals positionsOf(ActuatorSignals signals);

/// Computes the signals on both sides of the transmission from columns that were recorded on either
/// side:
///
///     q_joint = T q_actuator + offset,   effort_actuator = T^T effort_joint
class TransmissionSides {
 public:
  /// @param currents  the efforts of the log are currents; these always belong to the actuators
  TransmissionSides(const Robot& robot, bool currents);

  /// @param recorded  columns as recorded
  /// @returns the signals without `still_speed` and window data, which the caller sets
  ActuatorSignals complete(ConditionedSignals recorded) const;

 private:
  bool same_ = true;  // both sides are the same
  bool any_at_actuator_ = false;
  bool currents_ = false;
  Eigen::MatrixXd to_joint_, to_actuator_, effort_to_actuator_;
  Eigen::RowVectorXd joint_offset_, actuator_offset_;
};

}  // namespace dynid
