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

/// How motion is made from recorded positions.
enum class MotionModel {
  kFiltered,  ///< zero-phase low-pass and central differences
  kSpline     ///< least-squares quintic spline of the positions and its derivatives
};

/// Motion of a whole log that was estimated elsewhere: one spline per stretch without a gap.
struct GivenMotion {
  struct Piece {
    double begin = 0.0, end = 0.0;  ///< s, log time
    UniformSpline spline;
    Eigen::MatrixXd coefficients;  ///< [numCoefficients, n]
  };
  std::vector<Piece> pieces;
};

/// What a user may set about signals.
struct SignalOptions {
  /// Hz, in (0, half the sampling rate); NaN: chosen from the data. Change it when the report says
  /// that motion or noise was cut in the wrong place.
  double cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  /// A cut-off above highestCutoff(rate) is lowered to it instead of refused. For predictions: the
  /// cut-off then belongs to the logs that the model was identified from, and this log may be
  /// slower.
  bool lower_to_rate = false;
  /// Order of one pass, 1 to 12.
  int filter_order = 4;
  /// Change it for coarse encoders and low rates (experiments/motion shows when it pays).
  MotionModel motion = MotionModel::kFiltered;
  /// Every how many samples one is used; 0: decimationFactor. 1 keeps all (the samples are then not
  /// independent and plain intervals too narrow).
  int decimation = 0;
  /// rad/s or m/s, >= 0: below this a joint stands still; lowered by itself for slow joints
  /// (stillThresholds).
  double still_speed = 0.02;
  /// s, > 0: longer intervals split the log; NaN: max(5 median steps, 2 slow steps (95 %), 0.02 s).
  double max_gap = std::numeric_limits<double>::quiet_NaN();

  /// Throws UsageError naming the field and its value.
  void check() const;
};

/// Everything decided about a log after a bounded look; plain data, so that it can be reported and
/// repeated.
struct SignalPlan {
  ClockModel clock;
  double dt = 0.0;  ///< s, of the uniform grid: sample i is at clock.origin + i dt
  double cutoff_hz = 0.0;
  int filter_order = 4;
  MotionModel motion = MotionModel::kFiltered;
  std::shared_ptr<const GivenMotion> given_motion;  ///< used in place of both; nullptr: none
  /// s that efforts are late against the motion (negative: early); conditioning takes it back.
  double effort_delay = 0.0;
  int decimation = 1;  ///< every so-many-th sample enters the fit; a multiple of `stride`
  /// The rigid body's rows, smooth as the filtered motion, are evaluated at every so-many-th sample
  /// (32 a period of the cut-off); friction and effort, which jump, at all of them.
  int stride = 1;
  /// The positions are as only a computer has them (judgeMotion): nothing is filtered or decimated,
  /// whatever the cut-off, so that simulated truth comes back to rounding.
  bool exact_motion = false;
  Eigen::VectorXd still_speed;  ///< [n] rad/s or m/s
  /// [n] logged velocity against d(position)/dt; empty without a velocity channel. The velocity
  /// used is always derived from the position.
  std::vector<DelayEstimate> velocity_delay;
  Eigen::VectorXd joint_cutoff_hz;  ///< [n] what each joint alone would ask for; NaN: no motion
  Eigen::VectorXd
      position_noise;  ///< [n] rad or m: white noise of the position, standard deviation
  std::string cutoff_reason;
  /// Of the motion, in the looks. They decide neither cut-off nor fit.
  std::vector<Interruption> interruptions;
  std::vector<std::string> repaired;  ///< sentences: what condition() mends

  double rateHz() const { return 1.0 / dt; }
  double timeOf(std::int64_t grid_index) const {
    return clock.origin + dt * static_cast<double>(grid_index);
  }
  /// The low-pass of the motion; regressor rows and efforts go through the same one.
  Lowpass lowpass() const {
    return exact_motion ? Lowpass{} : designLowpass(filter_order, cutoff_hz, rateHz());
  }
  /// The same for rows and efforts at every `stride`-th sample, and what effort and friction go
  /// through before they are sampled so (its cut-off is eight times higher: 6e-8 at the cut-off,
  /// 2e-5 of what would alias onto it).
  Lowpass rowsLowpass() const {
    return exact_motion ? Lowpass{} : designLowpass(filter_order, cutoff_hz, rateHz() / stride);
  }
  Lowpass antiAlias() const { return designLowpass(filter_order, 8.0 * cutoff_hz, rateHz()); }
  /// Within one period of the cut-off of an interruption, as far as the filters carry it.
  bool isLeftOut(double time) const;
  /// Samples between two knots of the motion's spline: two knots per period of the cut-off, so that
  /// splines and low-pass have the same bandwidth.
  std::int64_t samplesPerKnot() const;
  /// Uses another cut-off from here on (several logs share one).
  void setCutoff(double hz);
  /// s that a window needs on both sides of its core: the motion's filter, the rows' filter,
  /// stencils, spline and clock.
  double margin() const;
  /// The same for motion alone at another cut-off.
  /// @param forgotten  what its filter may have left of a window's end
  double motionMargin(double other_cutoff_hz, double forgotten = kForgotten) const;
  /// Far below any log's noise. At 1e-16 the margins of a slow filter are twice as long, and longer
  /// than the core.
  static constexpr double kForgotten = 1e-9;
};

/// Decides the plan.
/// \param looks contiguous windows of one log (one window: the whole log), each best some seconds
/// \throws std::invalid_argument on shapes; InputError (without a place: the caller knows the file)
///   if no clock can be found.
SignalPlan planSignals(std::span<const RawSignals> looks, const SignalOptions& options);

}  // namespace dynid
