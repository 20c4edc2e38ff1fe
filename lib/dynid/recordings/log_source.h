#pragma once

#include "dynid/logs/log_reader.h"
#include "dynid/logs/stored_rows.h"
#include "dynid/recordings/actuator_signals.h"
#include "dynid/recordings/base_signals.h"
#include "dynid/recordings/recording_settings.h"
#include "dynid/recordings/time_range.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/plan.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dynid {

/// Raw rows of a window including its margins.
struct RawWindow {
  StoredRows rows;
  BaseSamples base;
  /// [rows, c] Channels of a sensor whose equations are built: rows without them are dropped. 0 x
  /// 0: none
  Eigen::MatrixXd sensor = {};
  WindowPlace place;  ///< begin and end are not set yet

  std::int64_t numRows() const { return rows.count(); }
};

/// How a log is divided into windows.
struct WindowTiling {
  std::int64_t windows = 1;
  double core_rows = 0.0;  ///< rows of every window but the last, which has the rest
  double margin_s = 0.0;
};

/// One log as input of the regression: opened, examined by excerpts, audited, and read window by
/// window.
class LogSource {
 public:
  /// @throws InputError for a log that cannot be used at all. Refusals of the audit are findings,
  ///     not exceptions.
  LogSource(std::shared_ptr<const Robot> robot, LogInput input, const RecordingSettings& settings);

  const LogInput& input() const { return input_; }
  const LogInfo& info() const { return reader_.info(); }
  /// Channels of the base; nullptr if the log has none.
  const BaseReader* base() const { return base_.get(); }
  /// Decisions about clock and filters, made from excerpts.
  const SignalPlan& plan() const { return plan_; }
  /// Results of the audit, and those added later.
  const std::vector<Finding>& findings() const { return findings_; }
  /// Number of rows in the used time range.
  std::int64_t numRows() const { return end_row_ - first_row_; }
  /// The rows of the used time range are [firstRow(), endRow()).
  std::int64_t firstRow() const { return first_row_; }
  std::int64_t endRow() const { return end_row_; }
  /// Root mean square speed of every actuator over the excerpts [rad/s or m/s].
  const Eigen::VectorXd& typicalSpeed() const { return typical_speed_; }
  /// [s] duration of the used time range without its long pauses (longPauses).
  double duration() const { return duration_; }
  /// [s] time of recording since the origin of the clock, without the long pauses: the time of a
  /// log in which neither rows nor motion are missing.
  double recordedTime(double time) const;

  /// Period after which the motion repeats [s], found in the first excerpt; 0 if it does not
  /// repeat.
  double motionPeriodS() const { return motion_period_s_; }

  /// Replaces both cut-off frequencies (several logs use the same); lowered to what the rate
  /// allows.
  void setCutoff(double cutoff_hz);
  /// The same, for rows and efforts and for the motion (SignalPlan::setCutoffs).
  void setCutoffs(double rows_hz, double motion_hz);
  /// Sets the delays of the efforts [n] s that are removed from here on.
  void setEffortDelay(const Eigen::VectorXd& seconds) { plan_.effort_delay = seconds; }
  /// Sets whether positions are used as they are (SignalPlan::exact_motion) or filtered.
  void setExactMotion(bool exact);
  /// Sets a motion that is used from here on instead of filtered positions.
  void setMotion(std::shared_ptr<const GivenMotion> motion) {
    plan_.given_motion = std::move(motion);
  }
  /// Motion as predictions use it from here on: not a given one, and filtered at this cut-off
  /// frequency unless it has no noise.
  void setPredictionMotion(double cutoff_hz);
  /// The whole time range, without margins, on the uniform clock, with its positions before
  /// filtering (`recorded_q`).
  ActuatorSignals readWhole() const;
  /// Adds a finding that was made with a model.
  void addFinding(Finding finding);
  /// Sets the block length, so that windows may begin at block boundaries.
  void setBlocks(double block_s) { block_s_ = block_s; }
  /// Division into windows whose margins suffice for the cut-off of the plan and, for motion only,
  /// for this lower one; 0: none.
  /// @param motion_only  rows are neither filtered nor compressed, which allows shorter windows
  WindowTiling tiling(double lowest_cutoff_hz = 0.0, bool motion_only = false) const;
  /// Core rows [first, end) of a window.
  std::pair<std::int64_t, std::int64_t> windowRows(std::int64_t window,
                                                   const WindowTiling& tiling) const;
  /// Reads the rows of a window and its margins, as far as they lie in the used time range: the
  /// rows beyond it may be faulty. Not thread-safe.
  RawWindow readWindow(std::int64_t first, std::int64_t end, double margin_s) const;
  /// Closes the file until the next window is read. Not thread-safe.
  void close() const;
  /// Computes the signals of a window: clock, filter and transmission. Thread-safe.
  /// @param keep_raw       whether to keep the raw rows in the result
  /// @param needs_efforts  whether rows without a usable effort are left out; if not, the result
  ///     has no efforts but those of the raw rows, `recorded_effort`
  ActuatorSignals conditionWindow(RawWindow window, bool keep_raw, bool needs_efforts = true) const;
  /// The same window with its motion filtered at another cut-off frequency, from the kept raw rows;
  /// without efforts.
  ActuatorSignals recondition(const ActuatorSignals& window, double cutoff_hz) const;

 private:
  /// First rows of the excerpts.
  std::vector<std::int64_t> excerptStarts() const;
  /// An excerpt with velocities, for planning and audit.
  /// @param wraps  [columns] the number of removed jumps by a full turn is added to it
  RawSignals readExcerpt(std::int64_t first,
                         std::int64_t end,
                         std::vector<std::int64_t>& wraps) const;
  /// States that angles were made continuous, with the number of jumps in the excerpts.
  void noteWraps(const std::vector<std::int64_t>& wraps);
  /// Reads `count` rows from `raw_first`, of which [first, end) are the core.
  RawWindow readRows(std::int64_t first,
                     std::int64_t end,
                     std::int64_t raw_first,
                     std::int64_t count) const;
  void findTimeRange(const RecordingSettings& settings);
  void findPauses();
  void findMotionPeriod(const RawSignals& excerpt, int threads);
  void measureSpeed(const std::vector<RawSignals>& excerpts);
  ActuatorSignals toActuators(ConditionedSignals conditioned) const;
  void openBase();
  /// The channels of the base without which the equations of the joints do not hold: those of its
  /// motion, if it floats.
  Eigen::MatrixXd requiredOf(const BaseSamples& base) const;
  /// The motion of the base on the clock of `joint`.
  BaseSignals baseOf(const RawSignals& raw,
                     const BaseSamples& recorded,
                     const ConditionedSignals& joint,
                     const SignalPlan& plan) const;

  std::shared_ptr<const Robot> robot_;
  LogInput input_;
  LogReader reader_;
  std::shared_ptr<const BaseReader> base_;
  SignalPlan plan_;
  std::vector<Finding> findings_;
  std::int64_t first_row_ = 0, end_row_ = 0;  // of the used time range
  double start_time_ = 0.0, duration_ = 0.0;
  std::vector<Pause> pauses_;
  TransmissionSides sides_;
  double block_s_ = 0.0;
  Eigen::VectorXd typical_speed_;
  double motion_period_s_ = 0.0;
};

}  // namespace dynid
