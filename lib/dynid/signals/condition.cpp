#include "dynid/signals/condition.h"

#include "dynid/math/smoothing_spline.h"
#include "dynid/signals/decimate.h"
#include "dynid/signals/differentiate.h"
#include "dynid/signals/end_motion.h"
#include "dynid/signals/rebuild.h"
#include "dynid/signals/resample.h"
#include "dynid/signals/row_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Shorter pieces are dropped: too few samples to filter and differentiate.
constexpr Index kShortest = 8;

struct Piece {
  std::int64_t first = 0;  ///< grid index
  Index samples = 0;
  Segment rows;  ///< of the rebuilt clock
};

std::vector<Piece> gridPieces(const RebuiltClock& clock,
                              const SignalPlan& plan,
                              RowCounts& counts) {
  std::vector<Piece> pieces;
  for (const Segment part : clock.segments) {
    // A knot that lies on the grid up to rounding counts as on the grid.
    const double begin = (clock.time(part.begin) - plan.clock.origin) / plan.dt;
    const double end = (clock.time(part.end - 1) - plan.clock.origin) / plan.dt;
    // Limited to times at which the delayed efforts were recorded too.
    const bool late = plan.effort_delay.size() > 0;
    const double earliest = late ? std::min(0.0, plan.effort_delay.minCoeff() / plan.dt) : 0.0;
    const double latest = late ? std::max(0.0, plan.effort_delay.maxCoeff() / plan.dt) : 0.0;
    const auto first = static_cast<std::int64_t>(std::ceil(begin - earliest - 1e-6));
    const auto last = static_cast<std::int64_t>(std::floor(end - latest + 1e-6));
    if (last - first + 1 < kShortest || part.size() < 4) {
      counts.short_segment += part.size();
      counts.kept -= part.size();
      continue;
    }
    pieces.push_back({first, static_cast<Index>(last - first + 1), part});
  }
  return pieces;
}

/// Maps the rows of a piece onto the samples of the uniform clock.
class Placement {
 public:
  Placement(const RebuiltClock& clock, const Piece& piece, const SignalPlan& plan)
      : rows_(clock.rows.begin() + piece.rows.begin, clock.rows.begin() + piece.rows.end),
        knots_(clock.time.segment(piece.rows.begin, piece.rows.size())),
        grid_(VectorXd::NullaryExpr(piece.samples,
                                    [&](Index k) { return plan.timeOf(piece.first + k); })) {
    on_samples_ = knots_.size() == grid_.size() &&
                  (knots_ - grid_).cwiseAbs().maxCoeff() < 1e-6 * (grid_(1) - grid_(0));
  }

  const VectorXd& grid() const { return grid_; }
  /// Whether every one of `rows` rows lies on its own sample, in order.
  bool isEveryRow(Index rows) const {
    return on_samples_ && neighbours() && std::ssize(rows_) == rows;
  }

  /// Writes a channel at the samples: interpolated by a spline, or copied if every row lies on its
  /// own sample.
  void put(const MatrixXd& channel, Eigen::Ref<MatrixXd> samples) const {
    if (!on_samples_) {
      samples = splineAt(knots_, gathered(channel), grid_);
    } else if (neighbours()) {
      samples = channel.middleRows(rows_.front(), samples.rows());
    } else {
      samples = channel(rows_, Eigen::all);
    }
  }

  /// Writes a channel whose columns were recorded `delays` seconds late; empty: in time.
  void putLate(const MatrixXd& channel,
               const VectorXd& delays,
               Eigen::Ref<MatrixXd> samples) const {
    if (delays.size() == 0) return put(channel, samples);
    const MatrixXd values = gathered(channel);
    for (const auto& [delay, columns] : columnsByDelay(delays))
      samples(Eigen::all, columns) =
          splineAt(knots_, MatrixXd(values(Eigen::all, columns)), grid_.array() + delay);
  }

  /// Writes a channel interpolated from its finite rows only; zero if there are none.
  void putFinite(const MatrixXd& channel, Eigen::Ref<MatrixXd> samples) const {
    const MatrixXd values = gathered(channel);
    std::vector<Index> finite;
    for (Index k = 0; k < values.rows(); ++k)
      if (values.row(k).allFinite()) finite.push_back(k);
    if (std::ssize(finite) == values.rows()) {
      put(channel, samples);
    } else if (finite.empty()) {
      samples.setZero();
    } else {
      const VectorXd knots = knots_(finite);
      const VectorXd inside = grid_.cwiseMax(knots(0)).cwiseMin(knots(knots.size() - 1));
      samples = splineAt(knots, values(finite, Eigen::all), inside);
    }
  }

 private:
  bool neighbours() const {  // no row was dropped
    return rows_.back() - rows_.front() + 1 == std::ssize(rows_);
  }
  MatrixXd gathered(const MatrixXd& channel) const {
    if (neighbours()) return channel.middleRows(rows_.front(), std::ssize(rows_));
    return channel(rows_, Eigen::all);
  }

  std::vector<Index> rows_;
  VectorXd knots_, grid_;
  bool on_samples_ = false;
};

}  // namespace

std::vector<PositionPiece> positionsOnGrid(const RawSignals& window, const SignalPlan& plan) {
  RebuiltClock clock = rebuildClock(window, plan.clock);
  std::vector<PositionPiece> positions;
  for (const Piece& piece : gridPieces(clock, plan, clock.counts)) {
    positions.push_back({plan.timeOf(piece.first), MatrixXd(piece.samples, window.joints())});
    Placement(clock, piece, plan).put(window.position, positions.back().q);
  }
  return positions;
}

MatrixXd channelOnGrid(const RawSignals& window,
                       const MatrixXd& channel,
                       const ConditionedSignals& signals,
                       const SignalPlan& plan) {
  RebuiltClock clock = rebuildClock(window, plan.clock);
  const std::vector<Piece> pieces = gridPieces(clock, plan, clock.counts);
  if (channel.rows() != window.rows() || pieces.size() != signals.segments.size())
    throw std::invalid_argument("a channel of " + std::to_string(channel.rows()) +
                                " rows for a window of " + std::to_string(window.rows()) +
                                "; expected as many, and the signals of that window");
  MatrixXd values(signals.time.size(), channel.cols());
  for (std::size_t s = 0; s < pieces.size(); ++s)
    Placement(clock, pieces[s], plan)
        .putFinite(channel,
                   values.middleRows(signals.segments[s].begin, signals.segments[s].size()));
  return values;
}

namespace {

/// The spans between the pieces, and before and behind them, in which a required channel is
/// missing.
std::vector<TimeSpan> unknownSpans(const RawSignals& window,
                                   const RebuiltClock& clock,
                                   const std::vector<Piece>& pieces,
                                   const SignalPlan& plan) {
  std::vector<TimeSpan> spans;
  if (clock.counts.not_finite == 0) return spans;
  const std::vector<Index> missing = unusableRows(window.required);
  const auto any_missing = [&](Index first_row, Index end_row) {
    const auto found = std::lower_bound(missing.begin(), missing.end(), first_row);
    return found != missing.end() && *found < end_row;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double begin = -kInfinity;
  Index row = 0;
  for (const Piece& piece : pieces) {
    if (any_missing(row, clock.rows[piece.rows.begin]))
      spans.push_back({begin, plan.timeOf(piece.first)});
    begin = plan.timeOf(piece.first + piece.samples - 1);
    row = clock.rows[piece.rows.end - 1];
  }
  if (any_missing(row, window.rows())) spans.push_back({begin, kInfinity});
  return spans;
}

/// @param spare  the same window if its matrices may be moved from; nullptr: they are copied
ConditionedSignals placedOnClock(const RawSignals& window,
                                 RawSignals* spare,
                                 const SignalPlan& plan) {
  const RebuiltClock clock = rebuildClock(window, plan.clock);
  ConditionedSignals out;
  out.counts = clock.counts;
  out.row_time = clock.row_time;
  const std::vector<Piece> pieces = gridPieces(clock, plan, out.counts);
  Index total = 0;
  for (const Piece& piece : pieces) total += piece.samples;
  const Index joints = window.joints();
  const bool has_effort = window.effort.size() > 0;
  out.unknown = unknownSpans(window, clock, pieces, plan);
  out.time.resize(total);
  out.q.resize(0, joints);
  out.effort.resize(0, has_effort ? joints : 0);
  out.grid_index.reserve(total);
  Index begin = 0;
  for (const Piece& piece : pieces) {
    const Index n = piece.samples;
    const Placement placement(clock, piece, plan);
    out.time.segment(begin, n) = placement.grid();
    for (Index k = 0; k < n; ++k) out.grid_index.push_back(piece.first + k);
    out.segments.push_back({begin, begin + n});
    if (spare != nullptr && plan.effort_delay.size() == 0 && pieces.size() == 1 &&
        placement.isEveryRow(window.rows())) {
      out.q = std::move(spare->position);
      out.effort = std::move(spare->effort);
      return out;
    }
    if (begin == 0) {
      out.q.resize(total, joints);
      if (has_effort) out.effort.resize(total, joints);
    }
    placement.put(window.position, out.q.middleRows(begin, n));
    if (has_effort)
      placement.putLate(window.effort, plan.effort_delay, out.effort.middleRows(begin, n));
    begin += n;
  }
  return out;
}

}  // namespace

ConditionedSignals onClock(const RawSignals& window, const SignalPlan& plan) {
  return placedOnClock(window, nullptr, plan);
}

ConditionedSignals takeOntoClock(RawSignals& window, const SignalPlan& plan) {
  return placedOnClock(window, &window, plan);
}

namespace {

void place(const SplineMotion& motion, const Segment& part, ConditionedSignals& signals) {
  signals.q.middleRows(part.begin, part.size()) = motion.value;
  signals.dq.middleRows(part.begin, part.size()) = motion.first;
  signals.ddq.middleRows(part.begin, part.size()) = motion.second;
}

/// Evaluates a motion that was estimated for the whole log. Sections without one keep their
/// positions and do not move; SignalPlan::isLeftOut leaves them out.
void evaluateGiven(const GivenMotion& given, ConditionedSignals& signals) {
  signals.dq.setZero(signals.q.rows(), signals.q.cols());
  signals.ddq = signals.dq;
  for (const Segment& part : signals.segments) {
    const VectorXd times = signals.time.segment(part.begin, part.size());
    for (const GivenMotion::Piece& piece : given.pieces) {
      if (times(times.size() - 1) < piece.begin || times(0) > piece.end) continue;
      const SplineMotion motion = evaluate(piece.spline, piece.coefficients, times);
      place(motion, part, signals);
      break;
    }
  }
}

}  // namespace

void filterPositions(const ConditionedSignals& signals,
                     const SignalPlan& plan,
                     const VectorXd& still_speed,
                     Eigen::Ref<MatrixXd> positions) {
  constexpr double kForgottenBeyondEnds = 1e-6;
  const Lowpass filter = plan.motionLowpass();
  FilterWorkspace workspace;
  for (const Segment& part : signals.segments) {
    auto q = positions.middleRows(part.begin, part.size());
    const MatrixXd accelerations = endAccelerations(q, plan.dt, plan.motion_cutoff_hz, still_speed);
    if (filter.sections.empty() || accelerations.isZero(0.0)) {
      filterZeroPhase(filter, q, workspace);
      continue;
    }
    const Index reach = std::min<Index>(part.size() - 1, tailLength(filter, kForgottenBeyondEnds));
    MatrixXd padded = continued(q, reach, accelerations, plan.dt);
    filterZeroPhase(filter, padded, workspace);
    q = padded.middleRows(reach, part.size());
  }
}

namespace {

/// The penalty for which the spline passes the same frequencies as the low-pass: its cut-off is
/// the analogue frequency that the bilinear transform maps onto that of the filter.
double motionPenalty(const SignalPlan& plan) {
  const double share = std::numbers::pi * plan.motion_cutoff_hz * plan.dt;
  return penaltyOfCutoff(plan.motion_cutoff_hz * std::tan(share) / share, plan.dt);
}

/// Replaces the positions by their smoothing spline and computes its derivatives. The ends are
/// continued as in filterPositions.
void splineMotion(const SignalPlan& plan, ConditionedSignals& signals) {
  constexpr double kForgottenBeyondEnds = 1e-3;
  const double penalty = motionPenalty(plan);
  const Index tail = tailLength(plan.motionLowpass(), kForgottenBeyondEnds);
  const auto per_knot = static_cast<Index>(plan.samplesPerKnot());
  for (const Segment& part : signals.segments) {
    const Index reach = std::min<Index>(part.size() - 1, tail);
    const MatrixXd recorded = signals.q.middleRows(part.begin, part.size());
    const MatrixXd q =
        continued(recorded,
                  reach,
                  endAccelerations(recorded, plan.dt, plan.motion_cutoff_hz, plan.still_speed),
                  plan.dt);
    // Knots on multiples of the whole log's grid, so that overlapping windows agree.
    const auto grid = static_cast<Index>(signals.grid_index[part.begin]) - reach;
    const Index before = (grid % per_knot + per_knot) % per_knot;
    const Index intervals = (before + q.rows() - 2) / per_knot + 1;
    const UniformSpline spline(
        -static_cast<double>(before) * plan.dt, static_cast<double>(per_knot) * plan.dt, intervals);
    const VectorXd times =
        VectorXd::LinSpaced(q.rows(), 0.0, static_cast<double>(q.rows() - 1) * plan.dt);
    const SplineMotion motion = evaluate(
        spline, fitSmoothSpline(spline, times, q, penalty), times.segment(reach, part.size()));
    place(motion, part, signals);
  }
}

/// Adds the gaps of the log in which a joint moves: filters continue the motion on both sides by
/// its reflection, which is right only for a robot at rest.
void addGapsInMotion(const SignalPlan& plan, ConditionedSignals& signals) {
  const auto half_period = static_cast<Index>(std::ceil(0.5 / plan.cutoff_hz / plan.dt));
  const auto moves = [&](Index end, Index inside) {
    const double seconds = static_cast<double>(std::abs(end - inside)) * plan.dt;
    const VectorXd moved = (signals.q.row(end) - signals.q.row(inside)).cwiseAbs();
    return (moved.array() > seconds * plan.still_speed.array()).any();
  };
  for (size_t i = 1; i < signals.segments.size(); ++i) {
    const Segment &before = signals.segments[i - 1], &after = signals.segments[i];
    if (moves(before.end - 1, std::max(before.begin, before.end - 1 - half_period)) ||
        moves(after.begin, std::min(after.end - 1, after.begin + half_period)))
      signals.unknown.push_back({signals.time(before.end - 1), signals.time(after.begin)});
  }
}

/// A joint whose position does not change in a segment, but for rounding errors.
struct HeldJoint {
  Segment segment;
  Index joint = 0;
  double position = 0.0;
};

std::vector<HeldJoint> heldJoints(const ConditionedSignals& signals) {
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  std::vector<HeldJoint> held;
  for (const Segment& part : signals.segments)
    for (Index j = 0; j < signals.q.cols(); ++j) {
      const auto q = signals.q.col(j).segment(part.begin, part.size());
      const double range = q.maxCoeff() - q.minCoeff();
      if (range <= kRounding * std::abs(q(0))) held.push_back({part, j, q(0)});
    }
  return held;
}

void filterAndDifferentiate(const SignalPlan& plan, ConditionedSignals& signals) {
  signals.dq.resize(signals.q.rows(), signals.q.cols());
  signals.ddq.resize(signals.q.rows(), signals.q.cols());
  if (plan.motion == MotionModel::kSpline && !plan.exact_motion) {
    splineMotion(plan, signals);
    return;
  }
  filterPositions(signals, plan, plan.still_speed, signals.q);
  for (const Segment& segment : signals.segments)
    differentiate(signals.q.middleRows(segment.begin, segment.size()),
                  plan.dt,
                  signals.dq.middleRows(segment.begin, segment.size()),
                  signals.ddq.middleRows(segment.begin, segment.size()));
}

}  // namespace

void filterMotion(const SignalPlan& plan, ConditionedSignals& signals) {
  if (plan.given_motion) {
    evaluateGiven(*plan.given_motion, signals);
    return;
  }
  if (plan.still_speed.size() == signals.q.cols()) addGapsInMotion(plan, signals);
  const std::vector<HeldJoint> held = heldJoints(signals);
  filterAndDifferentiate(plan, signals);
  // Rounding errors of the filters would be the whole motion of a joint that rests in all logs, and
  // columns of any size would follow from them.
  for (const auto& [segment, joint, position] : held) {
    signals.q.col(joint).segment(segment.begin, segment.size()).setConstant(position);
    signals.dq.col(joint).segment(segment.begin, segment.size()).setZero();
    signals.ddq.col(joint).segment(segment.begin, segment.size()).setZero();
  }
}

ConditionedSignals condition(const RawSignals& window, const SignalPlan& plan) {
  ConditionedSignals signals = onClock(window, plan);
  filterMotion(plan, signals);
  return signals;
}

bool isLeftOut(const ConditionedSignals& signals, const SignalPlan& plan, Index sample) {
  const double time = signals.time(sample);
  if (plan.isLeftOut(time)) return true;
  if (plan.exact_motion) return false;  // nothing is filtered
  const double around = 1.0 / plan.cutoff_hz;
  return std::any_of(signals.unknown.begin(), signals.unknown.end(), [&](const TimeSpan& span) {
    return time >= span.begin - around && time <= span.end + around;
  });
}

std::vector<Index> coreSamples(const ConditionedSignals& signals,
                               const SignalPlan& plan,
                               double begin,
                               double end) {
  const double *first = signals.time.data(), *last = first + signals.time.size();
  const Index from = std::lower_bound(first, last, begin) - first;
  const Index to = std::lower_bound(first, last, end) - first;
  std::vector<Index> samples;
  samples.reserve(std::max<Index>(0, to - from));
  for (Index k = from; k < to; ++k)
    if (isKept(signals.grid_index[k], plan.decimation) && !isLeftOut(signals, plan, k))
      samples.push_back(k);
  return samples;
}

void filterSegments(const ConditionedSignals& signals,
                    const Lowpass& filter,
                    Eigen::Ref<MatrixXd> columns,
                    FilterWorkspace& workspace) {
  if (columns.rows() != signals.time.size())
    throw std::invalid_argument(std::to_string(columns.rows()) + " rows for " +
                                std::to_string(signals.time.size()) + " samples; expected as many");
  for (const Segment part : signals.segments)
    filterZeroPhase(filter, columns.middleRows(part.begin, part.size()), workspace);
}

}  // namespace dynid
