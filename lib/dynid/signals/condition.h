#pragma once

#include "dynid/signals/filter.h"
#include "dynid/signals/plan.h"
#include "dynid/signals/raw_signals.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace dynid {

/// One window on the uniform clock. Samples of different segments are not neighbours: filter each
/// segment by itself (filterSegments).
struct ConditionedSignals {
  Eigen::VectorXd time;                  ///< [M] s, ascending
  std::vector<std::int64_t> grid_index;  ///< [M] time = plan.timeOf(grid_index)
  Eigen::MatrixXd q, dq, ddq;            ///< [M,n] filtered
  Eigen::MatrixXd effort;                ///< [M,n] resampled, not filtered; 0 x 0 without efforts
  std::vector<Segment> segments;         ///< ranges of samples without a gap
  Eigen::VectorXd row_time;  ///< [N] s, rebuilt time of every raw row; NaN without a usable stamp
  RowCounts counts;
};

/// Raw rows to uniform, filtered motion: clock rebuilt, unusable rows dropped, spline onto the
/// grid, zero-phase low-pass on the positions, central differences. Pure: the same window and plan
/// give the same bits. Samples nearer than plan.margin() to an end of the window differ from those
/// of a longer window. \throws std::invalid_argument on shapes
ConditionedSignals condition(const RawSignals& window, const SignalPlan& plan);

/// Its first half: everything but the filter. `q` as recorded, on the grid; dq and ddq empty.
ConditionedSignals onClock(const RawSignals& window, const SignalPlan& plan);
/// The same without a copy where it can: position and effort are taken out of the window.
ConditionedSignals takeOntoClock(RawSignals& window, const SignalPlan& plan);
/// Its second half: smooths q (plan.motion) and derives dq and ddq.
void filterMotion(const SignalPlan& plan, ConditionedSignals& signals);

/// Positions of the window on the grid, not filtered: one piece per segment.
std::vector<PositionPiece> positionsOnGrid(const RawSignals& window, const SignalPlan& plan);

/// Another channel [N,c] of the same window (logged velocity, acceleration) on the samples of
/// `signals`, not filtered. Rows with a value that is not finite are bridged.
Eigen::MatrixXd channelOnGrid(const RawSignals& window,
                              const Eigen::MatrixXd& channel,
                              const ConditionedSignals& signals,
                              const SignalPlan& plan);

/// Samples to use for the fit: kept by decimation, outside of interruptions, begin <= time < end
/// (the window's core, so that windows tile the log without overlap).
std::vector<Eigen::Index> coreSamples(const ConditionedSignals& signals,
                                      const SignalPlan& plan,
                                      double begin = -std::numeric_limits<double>::infinity(),
                                      double end = std::numeric_limits<double>::infinity());

/// Filters each segment of `columns` [M,c] (regressor rows, efforts) in place.
/// \throws std::invalid_argument unless there is a row a sample
void filterSegments(const ConditionedSignals& signals,
                    const Lowpass& filter,
                    Eigen::Ref<Eigen::MatrixXd> columns,
                    FilterWorkspace& workspace);

}  // namespace dynid
