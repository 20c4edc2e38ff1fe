#pragma once

#include "dynid/signals/filter.h"
#include "dynid/signals/plan.h"
#include "dynid/signals/raw_signals.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace dynid {

/// A range of log time [s].
struct TimeSpan {
  double begin = 0.0, end = 0.0;
};

/// One window on the uniform clock. Samples of different segments are not adjacent in time; each
/// segment has to be filtered separately (filterSegments).
struct ConditionedSignals {
  Eigen::VectorXd time;                  ///< [M] s, ascending
  std::vector<std::int64_t> grid_index;  ///< [M] time = plan.timeOf(grid_index)
  Eigen::MatrixXd q, dq, ddq;            ///< [M,n] filtered
  Eigen::MatrixXd effort;                ///< [M,n] resampled, not filtered; 0 x 0 without efforts
  std::vector<Segment> segments;         ///< ranges of samples without gaps
  /// Gaps in which a joint moves, and gaps, also before and behind the segments, in which a
  /// required channel is missing.
  std::vector<TimeSpan> unknown;
  /// [N] s, rebuilt time of every raw row; NaN if its stamp is unusable.
  Eigen::VectorXd row_time;
  RowCounts counts;  ///< rows of the window that were used and dropped
};

/// Computes uniformly sampled, filtered motion from raw rows: rebuilds the clock, drops unusable
/// rows, interpolates by a spline on the grid, filters the positions by a zero-phase low-pass and
/// takes central differences. The same window and plan give the same bits. Samples closer than
/// plan.margin() to an end of the window differ from those computed from a longer window.
/// @throws std::invalid_argument for wrong shapes
ConditionedSignals condition(const RawSignals& window, const SignalPlan& plan);

/// The first half of `condition`, without the filter: `q` as recorded, on the grid; dq and ddq are
/// empty.
ConditionedSignals onClock(const RawSignals& window, const SignalPlan& plan);
/// The same; moves position and effort out of the window if no copy is needed.
ConditionedSignals takeOntoClock(RawSignals& window, const SignalPlan& plan);
/// The second half of `condition`: smooths q (by plan.motion) and computes dq and ddq.
void filterMotion(const SignalPlan& plan, ConditionedSignals& signals);

/// Unfiltered positions of the window on the grid, one piece per segment.
std::vector<PositionPiece> positionsOnGrid(const RawSignals& window, const SignalPlan& plan);

/// Another channel [N,c] of the same window at the samples of `signals`, unfiltered. Values that
/// are not finite are interpolated from the other values, however distant these are. A channel
/// whose missing values must not be interpolated belongs into RawSignals::required.
Eigen::MatrixXd channelOnGrid(const RawSignals& window,
                              const Eigen::MatrixXd& channel,
                              const ConditionedSignals& signals,
                              const SignalPlan& plan);

/// Whether a sample is not used for the fit: SignalPlan::isLeftOut, or it is within one period of
/// the cut-off of an `unknown` span, where the filters know the motion on one side only.
bool isLeftOut(const ConditionedSignals& signals, const SignalPlan& plan, Eigen::Index sample);

/// Samples used for the fit: those kept by decimation, not left out, with begin <= time < end (the
/// core of the window; the cores of all windows do not overlap).
std::vector<Eigen::Index> coreSamples(const ConditionedSignals& signals,
                                      const SignalPlan& plan,
                                      double begin = -std::numeric_limits<double>::infinity(),
                                      double end = std::numeric_limits<double>::infinity());

/// Filters each segment of positions [M,c] in place. filterSegments continues the signal at the
/// ends of a segment by reflection, which turns the acceleration of a motion around there; here the
/// acceleration at the ends is kept.
/// @param still_speed  [c] rad/s or m/s: a column that is slower at an end is at rest there
void filterPositions(const ConditionedSignals& signals,
                     const SignalPlan& plan,
                     const Eigen::VectorXd& still_speed,
                     Eigen::Ref<Eigen::MatrixXd> positions);

/// Filters each segment of `columns` [M,c] (regressor rows, efforts) in place.
/// @throws std::invalid_argument unless there is one row per sample
void filterSegments(const ConditionedSignals& signals,
                    const Lowpass& filter,
                    Eigen::Ref<Eigen::MatrixXd> columns,
                    FilterWorkspace& workspace);

}  // namespace dynid
