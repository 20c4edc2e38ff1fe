#pragma once

#include "dynid/signals/clock.h"
#include "dynid/signals/delay.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/raw_signals.h"
#include "dynid/signals/stillness.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace dynid {

/// What a user may set about signals.
struct SignalOptions {
  /// Hz, in (0, 0.4 of the Nyquist frequency]; NaN: chosen from the data. Change it when the report
  /// says that motion or noise was cut in the wrong place.
  double cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  /// Order of one pass, 1 to 12.
  int filter_order = 4;
  /// Every how many samples one is used; 0: decimationFactor. 1 keeps all (intervals are then too
  /// narrow).
  int decimation = 0;
  /// rad/s or m/s, >= 0: below this a joint stands still; lowered by itself for slow joints
  /// (stillThresholds).
  double still_speed = 0.02;
  /// s, > 0: longer intervals split the log; NaN: max(10 steps, 0.05 s).
  double max_gap = std::numeric_limits<double>::quiet_NaN();
  /// Take the stamps as they are (no rebuilding, no dropping of repeated rows).
  bool trust_clock = false;

  /// Throws UsageError naming the field and its value.
  void check() const;
};

/// Everything decided about a log after a bounded look; plain data, so that it can be reported and
/// repeated.
struct SignalPlan {
  ClockModel clock;
  double origin = 0.0;  ///< s, of the uniform grid: sample i is at origin + i dt
  double dt = 0.0;      ///< s
  double cutoff_hz = 0.0;
  int filter_order = 4;
  int decimation = 1;
  Eigen::VectorXd still_speed;  ///< [n] rad/s or m/s
  std::vector<DelayEstimate>
      velocity_delay;  ///< [n] logged velocity against d(position)/dt; empty without velocity
  std::string cutoff_reason;
  std::vector<std::string> repaired;  ///< sentences: what will be mended

  double rateHz() const { return 1.0 / dt; }
  /// The low-pass of the motion; regressor rows and efforts go through the same one.
  Lowpass lowpass() const { return designLowpass(filter_order, cutoff_hz, rateHz()); }
  /// s that a window needs on both sides of its core: two filters, stencils and the spline, to
  /// 1e-16.
  double margin() const;
};

/// Decides the plan.
/// \param looks contiguous windows of one log (one window: the whole log), each best a few seconds
/// or longer \throws std::invalid_argument on shapes; InputError (without a place: the caller knows
/// the file) if nothing is usable.
SignalPlan planSignals(std::span<const RawSignals> looks, const SignalOptions& options);

/// One window on the uniform clock. Samples of different segments are not neighbours: filter each
/// segment by itself.
struct ConditionedSignals {
  Eigen::VectorXd time;                  ///< [M] s
  std::vector<std::int64_t> grid_index;  ///< [M] time = origin + grid_index dt
  Eigen::MatrixXd q, dq, ddq;            ///< [M,n] filtered
  Eigen::MatrixXd effort;                ///< [M,n] resampled, not filtered
  MovingMask moving;                     ///< [M,n]
  std::vector<Segment> segments;         ///< ranges of samples
  Eigen::VectorXd
      row_time;  ///< [N] s, rebuilt time of every raw row; NaN if the row has no usable stamp
  RowCounts counts;
};

/// Raw rows to uniform, filtered motion. Pure: the same window and plan give the same bits.
ConditionedSignals condition(const RawSignals& window, const SignalPlan& plan);

/// Samples to use for the fit: kept by decimation and with begin <= time < end (the window's core,
/// so that windows tile the log without overlap).
std::vector<Eigen::Index> coreSamples(const ConditionedSignals& signals,
                                      const SignalPlan& plan,
                                      double begin = -std::numeric_limits<double>::infinity(),
                                      double end = std::numeric_limits<double>::infinity());

/// Filters each segment of `columns` [M,c] (regressor rows, efforts) with the plan's low-pass, in
/// place.
void filterSegments(const ConditionedSignals& signals,
                    const SignalPlan& plan,
                    Eigen::Ref<Eigen::MatrixXd> columns,
                    FilterWorkspace& workspace);

/// Values [M,c] on the uniform clock (predictions) back at arbitrary times: spline within each
/// segment, the nearest segment's end value outside; NaN for a NaN time.
Eigen::MatrixXd samplesAt(const ConditionedSignals& signals,
                          const Eigen::Ref<const Eigen::MatrixXd>& values,
                          const Eigen::Ref<const Eigen::VectorXd>& times);

}  // namespace dynid
