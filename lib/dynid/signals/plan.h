#pragma once

#include "dynid/math/uniform_spline.h"
#include "dynid/signals/clock.h"
#include "dynid/signals/delay.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/interruptions.h"
#include "dynid/signals/raw_signals.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dynid {

/// How the motion is computed from recorded positions.
enum class MotionModel {
  kFiltered,  ///< zero-phase low-pass and central differences
  kSpline     ///< smoothing spline of the positions and its derivatives
};

/// A motion of a whole log that was estimated together with parameters: one spline per joint and
/// section without gaps.
struct GivenMotion {
  struct Piece {
    /// [s] Log time in which the motion is used; outside, near the ends of the section, the splines
    /// are poorly determined.
    double begin = 0.0, end = 0.0;
    UniformSpline spline;
    Eigen::MatrixXd coefficients;  ///< [numCoefficients, n]
  };
  std::vector<Piece> pieces;
};

/// Settings of the signal conditioning.
struct SignalOptions {
  /// [Hz], in (0, half the sample rate); NaN: chosen from the data. Change it if the report shows
  /// that the filter removes motion or keeps noise.
  double cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  /// The cut-off was chosen for other logs (set for predictions, whose model was identified from
  /// them): it is lowered to highestCutoff(rate) instead of refused, and not used for positions
  /// without noise.
  bool of_other_logs = false;
  /// Order of one pass of the filter, 1 to 12.
  int filter_order = 4;
  /// Use the spline for low rates with quiet efforts (see experiments/motion).
  MotionModel motion = MotionModel::kFiltered;
  /// Every how many samples one is used; 0: decimationFactor. 1 keeps all samples; these are then
  /// not independent, and confidence intervals that assume independence are too narrow.
  int decimation = 0;
  /// [rad/s or m/s], >= 0: a joint below this speed is at standstill. Lowered automatically for
  /// slow joints (stillThresholds).
  double still_speed = 0.02;
  /// [s] > 0: longer intervals split the log; NaN: max(5 median intervals, 2 times the 95 %
  /// quantile of the intervals, 0.02 s).
  double max_gap = std::numeric_limits<double>::quiet_NaN();
  /// [s] Time stamp from which texts count times, as `from_s` and `to_s` do; NaN: the first row of
  /// the excerpts.
  double start_s = std::numeric_limits<double>::quiet_NaN();
  int threads = 1;  ///< that plan; the plan does not depend on it

  /// @throws UsageError with the name of the field and its value
  void check() const;
};

/// All decisions about the conditioning of a log, made from excerpts. Plain data, so that it can be
/// reported and applied again.
struct SignalPlan {
  ClockModel clock;        ///< how time is computed from the stamps
  double dt = 0.0;         ///< [s] step of the uniform grid: sample i is at clock.origin + i dt
  double start_s = 0.0;    ///< [s] SignalOptions::start_s
  double cutoff_hz = 0.0;  ///< of the low-pass for rows and efforts
  /// Of the low-pass for the motion: cutoff_hz, or higher where that was lowered because of a
  /// filter of the efforts. The rows need the motion itself: filtered as the efforts, it would be
  /// filtered twice in them.
  double motion_cutoff_hz = 0.0;
  int filter_order = 4;                         ///< of one pass
  MotionModel motion = MotionModel::kFiltered;  ///< how the motion is computed from positions
  /// If not null, used instead of the motion computed from positions.
  std::shared_ptr<const GivenMotion> given_motion;
  /// [n] s: delay of each effort relative to the motion (negative: early), which conditioning
  /// removes; empty: none
  Eigen::VectorXd effort_delay;
  int decimation = 1;  ///< every `decimation`-th sample is fitted; a multiple of `stride`
  /// Rigid-body rows, which are as smooth as the filtered motion, are evaluated at every
  /// `stride`-th sample (32 per period of the motion's cut-off). Friction and effort, which are not
  /// smooth, are evaluated at all samples.
  int stride = 1;
  /// The positions are exact to rounding, i.e. simulated (judgeMotion), and no cut-off was asked
  /// for this log. Nothing is filtered or decimated, so that the simulated parameters are recovered
  /// up to rounding.
  bool exact_motion = false;
  Eigen::VectorXd still_speed;  ///< [n] rad/s or m/s
  /// [n] Delay of the recorded velocity relative to d(position)/dt; empty without a velocity
  /// channel. The fit always uses the velocity derived from the position.
  std::vector<DelayEstimate> velocity_delay;
  double chosen_cutoff_hz =
      0.0;  ///< chosen from the positions (chooseCutoff), whatever was asked for
  double least_cutoff_hz = 0.0;  ///< CutoffChoice::least_hz
  double fast_share = 0.0;       ///< CutoffChoice::fast_share
  /// [n] rad or m: standard deviation of the white position noise.
  Eigen::VectorXd position_noise;
  /// [Hz] frequency at which efforts were low-passed before they were saved; NaN: none found.
  double prefilter_hz = std::numeric_limits<double>::quiet_NaN();
  bool lowered_by_prefilter = false;  ///< whether the chosen cut-off is lower because of it
  /// [Hz] rate of the samples between which the rows were interpolated linearly
  /// (interpolatedFrom); NaN: they were not.
  double interpolated_from_hz = std::numeric_limits<double>::quiet_NaN();
  std::string cutoff_reason;  ///< one sentence, for the report
  /// Interruptions of the motion in the excerpts. They affect neither cut-off nor fit.
  std::vector<Interruption> interruptions;
  std::vector<std::string> repaired;  ///< sentences that describe what condition() corrects

  /// Sample rate of the uniform grid.
  double rateHz() const { return 1.0 / dt; }
  /// Log time [s] of a sample of the grid.
  double timeOf(std::int64_t grid_index) const {
    return clock.origin + dt * static_cast<double>(grid_index);
  }
  /// The low-pass of the motion.
  Lowpass motionLowpass() const {
    return exact_motion ? Lowpass{} : designLowpass(filter_order, motion_cutoff_hz, rateHz());
  }
  /// The low-pass of regressor rows and efforts at every sample.
  Lowpass lowpass() const {
    return exact_motion ? Lowpass{} : designLowpass(filter_order, cutoff_hz, rateHz());
  }
  /// The low-pass for rows and efforts at every `stride`-th sample. Before this subsampling, effort
  /// and friction pass through antiAlias(), whose cut-off is eight times higher. Its deviation is
  /// 6e-8 at the cut-off, and it leaves 2e-5 of what would alias onto the cut-off.
  Lowpass rowsLowpass() const {
    return exact_motion ? Lowpass{} : designLowpass(filter_order, cutoff_hz, rateHz() / stride);
  }
  Lowpass antiAlias() const { return designLowpass(filter_order, 8.0 * cutoff_hz, rateHz()); }
  /// Whether a time is within an interruption or within one period of the cut-off of it, where the
  /// filters spread its effect, or outside the pieces of a given motion.
  bool isLeftOut(double time) const;
  /// Samples between two knots of the motion's spline. There are four knots per period of its
  /// cut-off; the penalty of the spline, not the knots, decides its bandwidth.
  std::int64_t samplesPerKnot() const;
  /// Replaces both cut-offs (several logs use the same).
  void setCutoff(double hz) { setCutoffs(hz, hz); }
  /// Replaces the cut-offs of rows and efforts and of the motion, which is not the lower one.
  void setCutoffs(double rows_hz, double motion_hz);
  /// [s] Margin that a window needs on both sides of its core: for the filters of motion and rows,
  /// difference formulas, spline and clock.
  double margin() const;
  /// [s] The margin for motion only, at another cut-off or the highest that the rate allows.
  /// @param forgotten  relative effect of the window's end that may remain
  double motionMargin(double other_cutoff_hz, double forgotten = kForgotten) const;
  /// Far below the noise of any log. With 1e-16 the margins of a slow filter would be twice as
  /// long, and longer than the core.
  static constexpr double kForgotten = 1e-9;
};

/// Makes the plan.
/// @param excerpts contiguous excerpts of one log, preferably some seconds each; a single excerpt
/// may be the whole log
/// @throws std::invalid_argument for wrong shapes; InputError if no clock can be found (the message
/// has no file name, the caller adds it)
SignalPlan planSignals(std::span<const RawSignals> excerpts, const SignalOptions& options);

}  // namespace dynid
