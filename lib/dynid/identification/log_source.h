#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/logs/log_reader.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"
#include "dynid/signals/condition.h"

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <vector>

namespace dynid {

/// A stretch of a log on the uniform clock, seen from both sides of the transmission. Motion is
/// filtered, effort is not.
struct ActuatorSignals {
  ConditionedSignals
      joint;  ///< joint side; `effort` as recorded (joint or actuator side, N m or A)
  Eigen::MatrixXd q, dq, ddq;  ///< [samples x actuators]
  Eigen::MatrixXd effort;      ///< [samples x actuators] N m or N; A where the log holds currents
  MovingMask moving;           ///< [samples x actuators]
  double begin = 0.0, end = 0.0;  ///< the window's core: begin <= time < end; windows tile the log
  std::int64_t first_row = 0, end_row = 0;  ///< raw rows of the core
  RawSignals raw;  ///< the raw rows behind it (margins included), first one `raw_first_row`
  std::int64_t raw_first_row = 0;
};

/// One log on its way into the regression: opened, looked at (bounded), audited, and read window by
/// window.
class LogSource {
 public:
  /// @throws InputError for a log that cannot be used at all (the audit's refusals are findings,
  /// not exceptions).
  LogSource(std::shared_ptr<const Robot> robot,
            LogInput input,
            const IdentificationSettings& settings);

  const LogInput& input() const { return input_; }
  const LogInfo& info() const { return reader_.info(); }
  const SignalPlan& plan() const { return plan_; }
  const std::vector<Finding>& findings() const { return findings_; }
  /// Rows of the time range.
  std::int64_t numRows() const { return end_row_ - first_row_; }
  /// Root mean square speed of every actuator over the looks [rad/s or m/s].
  const Eigen::VectorXd& typicalSpeed() const { return typical_speed_; }
  double duration() const { return duration_; }
  double startTime() const { return start_time_; }

  /// Uses another cut-off from here on (several logs share one).
  void setCutoff(double cutoff_hz);
  /// Calls `sink` with consecutive windows; returns what became of the rows.
  /// @param lowest_cutoff_hz  the windows' margins suffice for this cut-off too (see recondition);
  /// 0: the plan's own
  RowCounts forEachWindow(const std::function<void(const ActuatorSignals&)>& sink,
                          const Progress& progress = {},
                          double lowest_cutoff_hz = 0.0) const;
  /// The same window with its motion filtered at another cut-off.
  ActuatorSignals recondition(const ActuatorSignals& window, double cutoff_hz) const;

 private:
  RawSignals readRows(std::int64_t first, std::int64_t end) const;
  void findTimeRange(const IdentificationSettings& settings);
  void measureSpeed(const std::vector<RawSignals>& looks);
  /// Both sides of the transmission, from the columns as recorded.
  ActuatorSignals toActuators(ConditionedSignals conditioned) const;
  ActuatorSignals window(std::int64_t first, std::int64_t end, double margin_s) const;

  std::shared_ptr<const Robot> robot_;
  LogInput input_;
  LogReader reader_;
  SignalPlan plan_;
  std::vector<Finding> findings_;
  std::int64_t first_row_ = 0, end_row_ = 0;
  double start_time_ = 0.0, duration_ = 0.0;
  Eigen::MatrixXd T_inverse_;
  Eigen::VectorXd typical_speed_;
};

}  // namespace dynid
