#include "dynid/signals/plan.h"

#include "dynid/core/errors.h"
#include "dynid/core/parallel.h"
#include "dynid/core/text.h"
#include "dynid/signals/condition.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/decimate.h"
#include "dynid/signals/exact_motion.h"
#include "dynid/signals/interpolated_rows.h"
#include "dynid/signals/rebuild.h"
#include "dynid/signals/recorded_channel.h"
#include "dynid/signals/rounding_noise.h"
#include "dynid/signals/stillness.h"
#include "dynid/signals/usable_cutoff.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// [s] Largest lag of a recorded velocity that is searched.
constexpr double kLongestLag = 0.5;

/// [s] Shortest tick of a log that is accepted. Joint logs have at least 2e-5 s. With far shorter
/// ticks, margins of some tenths of a second would have more rows than memory allows.
constexpr double kShortestStep = 1e-6;

[[noreturn]] void refuse(const char* field, double value, const char* expected) {
  throw UsageError(std::string("`") + field + "` is " + toText(value) + "; expected " + expected);
}

/// Measured rows per second. Rows that were interpolated from samples at `source_hz` (NaN: none)
/// are not measured.
double freshRate(std::span<const RawSignals> excerpts, const ClockModel& clock, double source_hz) {
  double rows = 0.0, seconds = 0.0;
  for (const RawSignals& excerpt : excerpts) {
    const RebuiltClock rebuilt = rebuildClock(excerpt, clock);
    for (const Segment part : rebuilt.segments) {
      rows += static_cast<double>(part.size() - 1);
      seconds += rebuilt.time(part.end - 1) - rebuilt.time(part.begin);
    }
  }
  const double rate = seconds > 0.0 ? rows / seconds : 1.0 / clock.step;
  return std::isfinite(source_hz) ? std::min(rate, source_hz) : rate;
}

/// Filtered motion of all excerpts, and the recorded velocity after the same filter.
struct ExcerptMotion {
  std::vector<MatrixXd> dq, logged;
};

// Conditions all excerpts and collects their segments.
ExcerptMotion conditionExcerpts(std::span<const RawSignals> excerpts, const SignalPlan& plan) {
  ExcerptMotion motion;
  for (const RawSignals& excerpt : excerpts) {
    const ConditionedSignals signals = condition(excerpt, plan);
    const bool has_velocity = excerpt.velocity.size() > 0;
    MatrixXd logged;
    if (has_velocity) logged = recordedChannel(excerpt, excerpt.velocity, signals, plan);
    for (const Segment part : signals.segments) {
      motion.dq.push_back(signals.dq.middleRows(part.begin, part.size()));
      if (has_velocity) motion.logged.push_back(logged.middleRows(part.begin, part.size()));
    }
  }
  return motion;
}

MatrixXd stack(const std::vector<MatrixXd>& pieces, Index columns) {
  Index rows = 0;
  for (const MatrixXd& piece : pieces) rows += piece.rows();
  MatrixXd all(rows, columns);
  rows = 0;
  for (const MatrixXd& piece : pieces) {
    all.middleRows(rows, piece.rows()) = piece;
    rows += piece.rows();
  }
  return all;
}

/// Delay of the recorded velocity of each joint, from the longest piece, where it has values.
std::vector<DelayEstimate> velocityDelays(const ExcerptMotion& motion, double dt, int threads) {
  std::vector<DelayEstimate> delays;
  if (motion.logged.empty()) return delays;
  const auto longest = std::max_element(
      motion.dq.begin(), motion.dq.end(), [](const MatrixXd& a, const MatrixXd& b) {
        return a.rows() < b.rows();
      });
  const MatrixXd& logged = motion.logged[longest - motion.dq.begin()];
  delays.resize(logged.cols());
  parallelFor(static_cast<int>(logged.cols()), threads, [&](int j) {
    const Segment known = longestKnown(logged.col(j));
    delays[j] = estimateDelay(longest->col(j).segment(known.begin, known.size()),
                              logged.col(j).segment(known.begin, known.size()),
                              dt,
                              kLongestLag);
  });
  return delays;
}

// The clock of the log. @throws InputError if there is none, or if its time is not in seconds
ClockModel clockOf(std::span<const RawSignals> excerpts, const SignalOptions& options) {
  ClockModel clock;
  try {
    clock = estimateClock(excerpts, options.max_gap, options.threads);
  } catch (const std::invalid_argument& error) {
    throw InputError(std::string("no clock: ") + error.what() +
                     "; the log needs a time column that advances (or a sample rate)");
  }
  if (!(clock.step >= kShortestStep))
    throw InputError(
        "the samples are " + toText(clock.step, 3) +
        " s apart: the time stamps are not in seconds; give their unit ([time] unit in "
        "the import mapping, or the attribute unit of /time), or correct "
        "sample_rate_hz");
  return clock;
}

// The positions of all excerpts on the uniform clock. Finds the interruptions of the motion, stores
// them in the plan and bridges them in the positions.
std::vector<MatrixXd> positionsWithoutInterruptions(std::span<const RawSignals> excerpts,
                                                    SignalPlan& plan) {
  std::vector<PositionPiece> pieces;
  for (const RawSignals& excerpt : excerpts)
    for (PositionPiece& piece : positionsOnGrid(excerpt, plan)) pieces.push_back(std::move(piece));
  if (pieces.empty())
    throw InputError("no stretch of 8 samples without a gap longer than " +
                     toText(plan.clock.max_gap, 3) + " s; a longer recording is needed");
  plan.interruptions = findInterruptions(pieces, plan.dt);
  std::vector<MatrixXd> positions;
  for (PositionPiece& piece : pieces) {
    bridgeInterruptions(plan.interruptions, plan.dt, piece);
    positions.push_back(std::move(piece.q));
  }
  return positions;
}

// The efforts of all excerpts on the uniform clock, in the pieces of the positions.
std::vector<MatrixXd> effortPieces(std::span<const RawSignals> excerpts, const SignalPlan& plan) {
  std::vector<MatrixXd> efforts;
  for (const RawSignals& excerpt : excerpts) {
    if (excerpt.effort.size() == 0) return {};
    const ConditionedSignals signals = onClock(excerpt, plan);
    for (const Segment part : signals.segments)
      efforts.emplace_back(signals.effort.middleRows(part.begin, part.size()));
  }
  return efforts;
}

void listRepairs(SignalPlan& plan) {
  const ClockModel& clock = plan.clock;
  if (clock.kind == ClockKind::kQuantised || clock.kind == ClockKind::kJittered)
    plan.repaired.push_back("clock (" + toText(clock.kind) + "): " + clock.reason);
  if (clock.drop_repeated)
    plan.repaired.push_back(
        "rows that repeat the position of the row before while the robot moves (" +
        toText(100.0 * clock.repeated_fraction, 3) +
        " % of the moving rows): dropped, filled by a spline");
  for (const Interruption& event : plan.interruptions)
    plan.repaired.push_back(describe(event, plan.start_s));
}

}  // namespace

void SignalOptions::check() const {
  if (!std::isnan(cutoff_hz) && !isUsableCutoff(cutoff_hz))
    refuse("cutoff_hz",
           cutoff_hz,
           ("a frequency of at least " + toText(kLowestUsableCutoff) +
            " Hz, or none to choose it from the data")
               .c_str());
  if (filter_order < 1 || filter_order > 12) refuse("filter_order", filter_order, "1 to 12");
  if (decimation < 0) refuse("decimation", decimation, "0 (by the cut-off) or more");
  if (!(still_speed >= 0.0 && std::isfinite(still_speed)))
    refuse("still_speed", still_speed, "a speed of at least 0");
  if (!std::isnan(max_gap) && !(max_gap > 0.0)) refuse("max_gap", max_gap, "a positive time in s");
}

bool SignalPlan::isLeftOut(double time) const {
  if (given_motion && std::none_of(given_motion->pieces.begin(),
                                   given_motion->pieces.end(),
                                   [time](const GivenMotion::Piece& piece) {
                                     return time >= piece.begin && time <= piece.end;
                                   }))
    return true;
  const double around = 1.0 / cutoff_hz;
  return std::any_of(interruptions.begin(), interruptions.end(), [&](const Interruption& event) {
    return time >= event.begin - around && time <= event.end + around;
  });
}

std::int64_t SignalPlan::samplesPerKnot() const {
  return std::max<std::int64_t>(1, std::llround(0.25 * rateHz() / motion_cutoff_hz));
}

double SignalPlan::margin() const {
  const auto tail = static_cast<double>(tailLength(lowpass(), kForgotten));
  const double before_sampling =
      stride > 1 ? static_cast<double>(tailLength(antiAlias(), kForgotten)) : 0.0;
  return (2.0 * tail + before_sampling + 64.0 + stride) * dt + clock.max_gap +
         (effort_delay.size() > 0 ? effort_delay.cwiseAbs().maxCoeff() : 0.0);
}

double SignalPlan::motionMargin(double other_cutoff_hz, double forgotten) const {
  // The influence of a sample on the spline decays like the response of the filter.
  const double cutoff = std::min(other_cutoff_hz, highestCutoff(rateHz()));
  const auto tail =
      static_cast<double>(tailLength(designLowpass(filter_order, cutoff, rateHz()), forgotten));
  return (tail + 64.0) * dt + clock.max_gap;
}

void SignalPlan::setCutoffs(double rows_hz, double motion_hz) {
  cutoff_hz = rows_hz;
  motion_cutoff_hz = std::max(rows_hz, motion_hz);
  stride = exact_motion ? 1 : std::max(1, decimationFactor(rateHz(), 8.0 * motion_cutoff_hz));
  decimation = exact_motion ? 1 : stride * (decimationFactor(rateHz(), rows_hz) / stride);
}

SignalPlan planSignals(std::span<const RawSignals> excerpts, const SignalOptions& options) {
  options.check();
  SignalPlan plan;
  plan.clock = clockOf(excerpts, options);
  plan.dt = plan.clock.step;
  plan.start_s = std::isnan(options.start_s) ? plan.clock.origin : options.start_s;
  plan.filter_order = options.filter_order;
  plan.motion = options.motion;
  const double highest = highestCutoff(plan.rateHz());
  const double asked =
      options.of_other_logs ? std::min(options.cutoff_hz, highest) : options.cutoff_hz;
  if (!std::isnan(asked) && asked >= 0.5 * plan.rateHz())
    refuse("cutoff_hz",
           asked,
           ("less than half the sampling rate of " + toText(plan.rateHz()) + " Hz").c_str());

  plan.interpolated_from_hz = interpolatedFrom(excerpts, plan.rateHz());
  const std::vector<MatrixXd> positions = positionsWithoutInterruptions(excerpts, plan);
  const bool exact = judgeMotion(positions, plan.dt, options.still_speed).exact();
  const CutoffChoice choice =
      chooseCutoff(positions,
                   plan.rateHz(),
                   freshRate(excerpts, plan.clock, plan.interpolated_from_hz),
                   roundingNoise(excerpts, options.threads),
                   effortPieces(excerpts, plan),
                   exact,
                   options.threads);
  plan.chosen_cutoff_hz = choice.cutoff_hz;
  plan.least_cutoff_hz = choice.least_hz;
  plan.fast_share = choice.fast_share;
  plan.position_noise = choice.noise;
  plan.prefilter_hz = choice.prefilter_hz;
  plan.lowered_by_prefilter = choice.lowered_by_prefilter;
  plan.cutoff_hz = std::isnan(asked) ? choice.cutoff_hz : asked;
  plan.cutoff_reason = std::isnan(asked)           ? choice.reason
                       : asked < options.cutoff_hz ? "lowered to 0.2 of the sampling rate of " +
                                                         toText(plan.rateHz(), 4) + " Hz"
                                                   : "as asked";
  plan.exact_motion =
      (std::isnan(asked) || options.of_other_logs) && std::isnan(plan.prefilter_hz) && exact;
  if (plan.exact_motion)
    plan.cutoff_reason = "not used: the positions have no noise; nothing is filtered";
  plan.setCutoffs(plan.cutoff_hz, std::isnan(asked) ? choice.motion_cutoff_hz : plan.cutoff_hz);
  if (options.decimation > 0) {
    plan.decimation = options.decimation;
    plan.stride = 1;
  }
  plan.still_speed = VectorXd::Constant(excerpts.front().joints(), options.still_speed);
  const ExcerptMotion motion = conditionExcerpts(excerpts, plan);
  plan.still_speed =
      stillThresholds(stack(motion.dq, excerpts.front().joints()), options.still_speed);
  plan.velocity_delay = velocityDelays(motion, plan.dt, options.threads);
  listRepairs(plan);
  return plan;
}

}  // namespace dynid
