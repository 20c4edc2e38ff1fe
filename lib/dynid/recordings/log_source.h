#pragma once

#include "dynid/logs/log_reader.h"
#include "dynid/recordings/actuator_signals.h"
#include "dynid/recordings/base_signals.h"
#include "dynid/recordings/recording_settings.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dynid {

/// Raw rows of a window, margins included.
struct RawWindow {
  StoredRows rows;
  BaseSamples base;
  WindowPlace place;  ///< begin and end are left open
};

/// How a log is cut into windows.
struct WindowTiling {
  std::int64_t windows = 1;
  double core_rows = 0.0;  ///< of every window but the last, which takes what is left
  double margin_s = 0.0;
};

/// One log on its way into the regression: opened, sampled by excerpts, audited, and read window by
/// window.
class LogSource {
 public:
  /// @throws InputError for a log that cannot be used at all (the audit's refusals are findings,
  /// not exceptions).
  LogSource(std::shared_ptr<const Robot> robot, LogInput input, const RecordingSettings& settings);

  const LogInput& input() const { return input_; }
  const LogInfo& info() const { return reader_.info(); }
  /// Channels of the base; nullptr: the log has none.
  const BaseReader* base() const { return base_.get(); }
  const SignalPlan& plan() const { return plan_; }
  const std::vector<Finding>& findings() const { return findings_; }
  /// Rows of the time range.
  std::int64_t numRows() const { return end_row_ - first_row_; }
  /// Root mean square speed of every actuator over the excerpts [rad/s or m/s].
  const Eigen::VectorXd& typicalSpeed() const { return typical_speed_; }
  double duration() const { return duration_; }
  double startTime() const { return start_time_; }

  /// Uses another cut-off from here on (several logs share one).
  void setCutoff(double cutoff_hz);
  /// Takes this delay of the efforts [s] back from here on.
  void setEffortDelay(double seconds) { plan_.effort_delay = seconds; }
  /// Uses this motion from here on, instead of filtered positions.
  void setMotion(std::shared_ptr<const GivenMotion> motion) {
    plan_.given_motion = std::move(motion);
  }
  /// The whole log on the clock, before its motion is smoothed (`recorded_q`).
  ActuatorSignals readWhole() const;
  /// Adds something that was found out with a model.
  void addFinding(Finding finding);
  /// Lets windows begin with the blocks of the cross-validation where that costs nothing.
  void setBlocks(double block_s) { block_s_ = block_s; }
  /// Windows whose margins suffice for the plan's cut-off, and for motion (not rows) at this lower
  /// one; 0: none.
  /// @param motion_only  rows are neither filtered nor made into factors: shorter ones do
  WindowTiling tiling(double lowest_cutoff_hz = 0.0, bool motion_only = false) const;
  /// Core rows [first, end) of the window.
  std::pair<std::int64_t, std::int64_t> windowRows(std::int64_t window,
                                                   const WindowTiling& tiling) const;
  /// Reads the rows of a window and its margins. One thread at a time.
  RawWindow readWindow(std::int64_t first, std::int64_t end, double margin_s) const;
  /// Gives the file back until the next window is read, as the constructor does. One thread at a
  /// time.
  void close() const;
  /// Compression, clock, filter and transmission. Any thread.
  /// @param keep_raw  what it is made from, too
  ActuatorSignals conditionWindow(RawWindow window, bool keep_raw) const;
  /// The same window, whose raw rows were kept, with its motion filtered at another cut-off;
  /// without efforts.
  ActuatorSignals recondition(const ActuatorSignals& window, double cutoff_hz) const;

 private:
  /// An excerpt for planning and audit: with velocities.
  RawSignals readExcerpt(std::int64_t first, std::int64_t end) const;
  /// The first row from `row` on, before `end` and in steps of 1 or -1, whose time stamp is usable;
  /// `end` if there is none.
  std::int64_t usableRow(std::int64_t row, std::int64_t end, int step) const;
  void findTimeRange(const RecordingSettings& settings);
  void measureSpeed(const std::vector<RawSignals>& excerpts);
  ActuatorSignals toActuators(ConditionedSignals conditioned) const;
  void openBase();
  void noteBase();
  /// The base's motion on the clock of `joint`.
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
  std::int64_t first_row_ = 0, end_row_ = 0;
  double start_time_ = 0.0, duration_ = 0.0;
  TransmissionSides sides_;
  double block_s_ = 0.0;
  Eigen::VectorXd typical_speed_;
};

}  // namespace dynid
