#include "dynid/recordings/log_source.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/recordings/base_audit.h"
#include "dynid/recordings/held_joints_audit.h"
#include "dynid/recordings/open_reader.h"
#include "dynid/recordings/passive_audit.h"
#include "dynid/recordings/sensor_audit.h"
#include "dynid/robot/plausibility.h"
#include "dynid/signals/audit.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/motion_period.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace dynid {
namespace {

// Length of a window's core. Each window costs a factorisation at its start and a merge at its end,
// which favours long windows. Every thread and every part of a bounded pass needs separate
// windows, which favours short ones. Margins are computed twice; therefore cores are five margins
// long if that needs no more than a few tens of MB, and always at least one margin.
constexpr std::int64_t kCoreRows = 16384;
constexpr std::int64_t kMostCoreRows = 32768;
constexpr std::int64_t kManyWindows = 32;  // above this number cores may be longer
constexpr std::int64_t kLongCoreRows = 40000;
constexpr std::int64_t kPlainCoreRows = 65536;
constexpr double kCoreMargins = 5.0;
// Cores of robots with many joints have fewer rows, so that they take no more memory than those of
// eight joints.
std::int64_t coreRows(std::int64_t rows, int joints) { return rows * 8 / std::max(8, joints); }

/// Rows per excerpt; a log of up to three excerpts is read completely.
constexpr std::int64_t kExcerptRows = 20000;
constexpr int kExcerpts = 3;

// The same without filters, where margins are short. Each block within a window has one factor;
// therefore a window is a whole number of blocks, or a block a whole number of windows.
double plainCoreRows(double block_rows, int joints) {
  const auto most = static_cast<double>(coreRows(kPlainCoreRows, joints));
  if (block_rows > most) return block_rows / std::ceil(block_rows / most);
  return block_rows >= 1.0 ? block_rows * std::floor(most / block_rows) : most;
}

/// Threads that share out the work on the excerpts: with few numbers, starting them takes longer.
int threadsFor(const RawSignals& excerpt, int threads) {
  constexpr Eigen::Index kNumbers = 50000;  // 2500 rows of twenty joints
  return excerpt.position.size() >= kNumbers ? threads : 1;
}

SignalOptions signalOptions(const RecordingSettings& settings, int threads) {
  SignalOptions options;
  options.threads = threads;
  options.cutoff_hz = settings.cutoff_hz;
  options.of_other_logs = settings.cutoff_of_other_logs;
  // Estimated motion is filtered until it is estimated, and in predictions.
  if (settings.motion == "spline") options.motion = MotionModel::kSpline;
  options.still_speed = settings.still_speed;
  return options;
}

constexpr double kTurnWithoutLimits = 10.0 * kUsualTurn;

/// Largest range [rad] of a revolute joint's log that does not look like degrees.
double largestTurn(const Joint& joint) {
  const double usual = joint.continuous ? kTurnWithoutLimits : kUsualTurn;
  const double allowed = joint.limits.upper - joint.limits.lower;
  // Limits in degrees say nothing about a log in degrees.
  if (!std::isfinite(allowed) || areFarRoundLimits(joint.limits)) return usual;
  return std::max(usual, allowed);
}

AuditContext auditContext(const Robot& robot, int threads) {
  AuditContext context;
  context.threads = threads;
  context.required_name = "the motion of the base (base/pose, base/twist)";
  context.joint_names = robot.logColumnNames();
  const auto n = std::ssize(robot.joints);
  context.position_lower = Eigen::VectorXd::Constant(n, -kInfinity);
  context.position_upper = Eigen::VectorXd::Constant(n, kInfinity);
  context.largest_turn.resize(n);
  context.effort_limit = context.velocity_limit = Eigen::VectorXd::Constant(n, kInfinity);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Joint& joint = robot.joints[j];
    context.prismatic.push_back(joint.prismatic);
    context.largest_turn(j) = robot.measured_at_actuator[j] ? kInfinity : largestTurn(joint);
    if (!robot.measured_at_actuator[j]) {
      context.effort_limit(j) = joint.limits.effort;
      context.velocity_limit(j) = joint.limits.velocity;
    }
    if (joint.continuous || robot.measured_at_actuator[j]) continue;
    context.position_lower(j) = joint.limits.lower;
    context.position_upper(j) = joint.limits.upper;
  }
  return context;
}

RawSignals rawSignals(RawBlock block) {
  return {std::move(block.time),
          std::move(block.position),
          std::move(block.velocity),
          std::move(block.acceleration),
          std::move(block.effort)};
}

// Counts of the core only, so that rows in margins are not counted twice.
RowCounts coreCounts(const ActuatorSignals& window, std::int64_t raw_rows) {
  const RowCounts& all = window.joint.counts;
  const std::int64_t core = window.place.end_row - window.place.first_row;
  if (core == raw_rows) return all;
  const double share = static_cast<double>(core) / static_cast<double>(raw_rows);
  const auto scaled = [share](Eigen::Index n) {
    return static_cast<Eigen::Index>(std::llround(share * static_cast<double>(n)));
  };
  return {core,
          scaled(all.kept),
          scaled(all.not_finite),
          scaled(all.backward),
          scaled(all.duplicate_time),
          scaled(all.repeated),
          scaled(all.short_segment)};
}

}  // namespace

LogSource::LogSource(std::shared_ptr<const Robot> robot,
                     LogInput input,
                     const RecordingSettings& settings)
    : robot_(std::move(robot)),
      input_(std::move(input)),
      reader_(openReader(*robot_, input_.path, settings.assumptionsOf(input_.path).correction)),
      sides_(*robot_, reader_.info().effort_kind == EffortKind::kCurrent) {
  findTimeRange(settings);
  const std::vector<Finding> of_time_range = std::move(findings_);
  openBase();
  const std::vector<std::int64_t> starts = excerptStarts();
  std::vector<RawSignals> excerpts;
  std::vector<std::int64_t> wraps(robot_->joints.size(), 0);
  for (const std::int64_t first : starts) {
    const std::int64_t end = starts.size() == 1 ? end_row_ : first + kExcerptRows;
    excerpts.push_back(readExcerpt(first, end, wraps));
  }
  const int threads = threadsFor(excerpts.front(), settings.threads);
  SignalOptions options = signalOptions(settings, threads);
  options.start_s = start_time_;
  const AuditContext context = auditContext(*robot_, threads);
  try {
    plan_ = planSignals(excerpts, options);
    findPauses();
    findings_ = auditSignals(excerpts, plan_, context);
    measureSpeed(excerpts);
    findMotionPeriod(excerpts.front(), threads);
  } catch (const InputError& error) {
    findings_ = auditLog(excerpts, options, context);
    if (!anyRefused(findings_)) throw InputError(input_.path.string() + ": " + error.what());
    std::vector<std::string> refusals;
    for (const Finding& finding : findings_)
      if (finding.severity == Finding::Severity::kRefuse)
        refusals.push_back(finding.message + (finding.remedy.empty() ? "" : "; " + finding.remedy));
    throw InputError(fmt::format("{}: {}", input_.path.string(), fmt::join(refusals, "\n  ")));
  }
  const std::vector<Finding> passive = auditPassiveJoints(
      *robot_, input_.path, first_row_, end_row_, settings.assumptionsOf(input_.path).correction);
  // Positions in another unit do not close the loops either: their cause is named first.
  findings_.insert(
      anyRefused(findings_) ? findings_.end() : findings_.begin(), passive.begin(), passive.end());
  for (const Finding& finding : of_time_range) addFinding(finding);
  for (Finding& finding : auditBase(*robot_, base(), {first_row_, end_row_}, {excerpts, starts}))
    addFinding(std::move(finding));
  for (Finding& finding : auditHeldJoints(*robot_, input_.path, first_row_, end_row_))
    addFinding(std::move(finding));
  for (Finding& finding : auditLoneSensors(*robot_, input_.path)) addFinding(std::move(finding));
  for (Finding& finding :
       auditSensorRows(*robot_, input_.path, info().rows, base(), {excerpts, starts}, plan_))
    addFinding(std::move(finding));
  noteWraps(wraps);
  close();
}

void LogSource::close() const {
  reader_.close();
  if (base_ != nullptr) base_->close();
}

void LogSource::openBase() {
  auto base = std::make_shared<const BaseReader>(input_.path, reader_.info().rows);
  if (!base->hasPose() && !base->hasTwist() && !base->hasWrench()) return;
  base_ = std::move(base);
  if (!robot_->floating_base || base_->hasPose()) return;
  throw InputError(input_.path.string() + ":/base/pose: is missing; the base of \"" + robot_->name +
                   "\" floats, and the effect of gravity depends on its attitude");
}

Eigen::MatrixXd LogSource::requiredOf(const BaseSamples& base) const {
  if (!robot_->floating_base) return {};
  return sideBySide({&base.pose, &base.twist});
}

BaseSignals LogSource::baseOf(const RawSignals& raw,
                              const BaseSamples& recorded,
                              const ConditionedSignals& joint,
                              const SignalPlan& plan) const {
  if (base_ == nullptr) return {};
  return baseOnClock(*robot_, recorded, base_->twistFrame(), raw, joint, plan);
}

void LogSource::measureSpeed(const std::vector<RawSignals>& excerpts) {
  typical_speed_ = Eigen::VectorXd::Zero(robot_->numJoints());
  double samples = 0.0;
  for (const RawSignals& excerpt : excerpts) {
    const Eigen::MatrixXd dq = sides_.complete(condition(excerpt, plan_)).dq();
    typical_speed_ += dq.colwise().squaredNorm().transpose();
    samples += static_cast<double>(dq.rows());
  }
  typical_speed_ = (typical_speed_ / std::max(samples, 1.0)).cwiseSqrt().cwiseMax(1e-6);
}

void LogSource::findMotionPeriod(const RawSignals& excerpt, int threads) {
  constexpr Eigen::Index kSamples = 2000;
  const Eigen::Index rows = excerpt.position.rows();
  const Eigen::Index stride = (rows + kSamples - 1) / kSamples;
  const Eigen::Index samples = stride > 0 ? rows / stride : 0;
  if (samples < 2 || !excerpt.position.allFinite() || !excerpt.time.allFinite()) return;
  const Eigen::MatrixXd position = excerpt.position(Eigen::seqN(0, samples, stride), Eigen::all);
  const double span =
      recordedTime(excerpt.time((samples - 1) * stride)) - recordedTime(excerpt.time(0));
  motion_period_s_ =
      motionPeriod(position, span / static_cast<double>(samples - 1), threads).value_or(0.0);
}

void LogSource::findTimeRange(const RecordingSettings& settings) {
  const TimeRange range = timeRange(reader_, settings.from_s, settings.to_s);
  first_row_ = range.first_row;
  end_row_ = range.end_row;
  start_time_ = range.start_s;
  duration_ = range.duration_s;
  if (range.stray_rows > 0)
    findings_.push_back(
        {Finding::Severity::kRepaired,
         "stray-rows",
         -1,
         fmt::format("{} rows at the ends lie {} s apart from the others, longer than all of them "
                     "last: they were left out",
                     range.stray_rows,
                     toText(range.stray_s, 3)),
         range.stray_s,
         ""});
}

void LogSource::findPauses() {
  pauses_ = longPauses(reader_, first_row_, end_row_, plan_.dt);
  for (const Pause& pause : pauses_) duration_ -= pause.length_s;
}

double LogSource::recordedTime(double time) const {
  double recorded = time - plan_.clock.origin;
  for (const Pause& pause : pauses_)
    if (time > pause.begin_s + 0.5 * pause.length_s) recorded -= pause.length_s;
  return recorded;
}

std::vector<std::int64_t> LogSource::excerptStarts() const {
  if (numRows() <= kExcerpts * kExcerptRows) return {first_row_};
  std::vector<std::int64_t> starts;
  for (int i = 0; i < kExcerpts; ++i)
    starts.push_back(first_row_ + (numRows() - kExcerptRows) * i / (kExcerpts - 1));
  return starts;
}

RawSignals LogSource::readExcerpt(std::int64_t first,
                                  std::int64_t end,
                                  std::vector<std::int64_t>& wraps) const {
  RawBlock block;
  reader_.read(first, end - first, block);
  for (size_t j = 0; j < block.wraps.size(); ++j) wraps[j] += block.wraps[j];
  RawSignals excerpt = rawSignals(std::move(block));
  if (robot_->floating_base && base_ != nullptr)
    excerpt.required = requiredOf(base_->read(first, end - first));
  return excerpt;
}

void LogSource::noteWraps(const std::vector<std::int64_t>& wraps) {
  const std::vector<std::string> names = robot_->logColumnNames();
  for (size_t j = 0; j < wraps.size(); ++j)
    if (wraps[j] > 0)
      addFinding({Finding::Severity::kRepaired,
                  "angle-wraps",
                  static_cast<int>(j),
                  fmt::format("{}: the angle wraps at a full turn ({} times in the samples that "
                              "were examined): it is made continuous while the log is read, the "
                              "file is unchanged",
                              names[j],
                              wraps[j]),
                  static_cast<double>(wraps[j]),
                  ""});
}

ActuatorSignals LogSource::readWhole() const {
  return conditionWindow(readRows(first_row_, end_row_, first_row_, numRows()), true);
}

void LogSource::addFinding(Finding finding) {
  const auto milder = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& other) {
    return other.severity < finding.severity;
  });
  findings_.insert(milder, std::move(finding));
}

void LogSource::setCutoff(double cutoff_hz) { setCutoffs(cutoff_hz, cutoff_hz); }

void LogSource::setCutoffs(double rows_hz, double motion_hz) {
  const double highest = highestCutoff(plan_.rateHz());
  plan_.setCutoffs(std::min(rows_hz, highest), std::min(motion_hz, highest));
}

void LogSource::setExactMotion(bool exact) {
  plan_.exact_motion = exact;
  plan_.setCutoffs(plan_.cutoff_hz, plan_.motion_cutoff_hz);
}

void LogSource::setPredictionMotion(double cutoff_hz) {
  plan_.given_motion = nullptr;
  if (!plan_.exact_motion) setCutoff(cutoff_hz);
}

ActuatorSignals LogSource::toActuators(ConditionedSignals conditioned) const {
  ActuatorSignals window = sides_.complete(std::move(conditioned));
  window.still_speed = plan_.still_speed;
  return window;
}

RawWindow LogSource::readWindow(std::int64_t first, std::int64_t end, double margin_s) const {
  const double row_rate = static_cast<double>(numRows()) / std::max(duration_, plan_.dt);
  const auto margin =
      static_cast<std::int64_t>(std::ceil(1.1 * margin_s * std::max(row_rate, plan_.rateHz()))) +
      16;
  const std::int64_t raw_first = std::max(first_row_, first - margin);
  return readRows(first, end, raw_first, std::min(end_row_, end + margin) - raw_first);
}

RawWindow LogSource::readRows(std::int64_t first,
                              std::int64_t end,
                              std::int64_t raw_first,
                              std::int64_t count) const {
  RawWindow window;
  window.place.raw_first_row = raw_first;
  window.rows = reader_.readStored(raw_first, count);
  if (base_ != nullptr) window.base = base_->read(raw_first, count);
  window.place.first_row = first;
  window.place.end_row = end;
  return window;
}

ActuatorSignals LogSource::conditionWindow(RawWindow rows,
                                           bool keep_raw,
                                           bool needs_efforts) const {
  RawSignals raw = rawSignals(reader_.decoded(std::move(rows.rows)));
  Eigen::MatrixXd recorded_effort;
  if (!needs_efforts) std::swap(raw.effort, recorded_effort);
  const Eigen::MatrixXd of_base = requiredOf(rows.base);
  raw.required = sideBySide({&of_base, &rows.sensor});
  const bool spare = !keep_raw && base_ == nullptr;
  ConditionedSignals conditioned = spare ? takeOntoClock(raw, plan_) : onClock(raw, plan_);
  Eigen::MatrixXd recorded_q;
  if (keep_raw) recorded_q = conditioned.q;
  filterMotion(plan_, conditioned);
  ActuatorSignals window = toActuators(std::move(conditioned));
  window.base = baseOf(raw, rows.base, window.joint, plan_);
  window.place = rows.place;
  // The core ends where that of the next window begins, on the rebuilt clock. At the ends of the
  // log it is open.
  const auto row_time = [&](std::int64_t row) {
    for (auto i = static_cast<Eigen::Index>(row - window.place.raw_first_row);
         i < window.joint.row_time.size();
         ++i)
      if (std::isfinite(window.joint.row_time(i))) return window.joint.row_time(i);
    return kInfinity;
  };
  window.place.begin = rows.place.first_row == rows.place.raw_first_row
                           ? -kInfinity
                           : row_time(rows.place.first_row);
  window.place.end = row_time(rows.place.end_row);
  window.counts = coreCounts(window, raw.rows());
  window.recorded_effort = std::move(recorded_effort);
  if (!keep_raw) return window;
  window.raw = std::move(raw);
  window.raw_base = std::move(rows.base);
  window.recorded_q = std::move(recorded_q);
  return window;
}

ActuatorSignals LogSource::recondition(const ActuatorSignals& window, double cutoff_hz) const {
  SignalPlan plan = plan_;
  plan.given_motion = nullptr;
  plan.motion_cutoff_hz = std::min(cutoff_hz, highestCutoff(plan_.rateHz()));
  ConditionedSignals again;
  again.time = window.joint.time;
  again.grid_index = window.joint.grid_index;
  again.segments = window.joint.segments;
  again.q = window.recorded_q;
  filterMotion(plan, again);
  ActuatorSignals signals = toActuators(std::move(again));
  signals.base = baseOf(window.raw, window.raw_base, signals.joint, plan);
  signals.place = window.place;
  return signals;
}

WindowTiling LogSource::tiling(double lowest_cutoff_hz, bool motion_only) const {
  constexpr double kForgottenInAChoice = 1e-6;
  const int joints = robot_->numJoints();
  WindowTiling tiling;
  tiling.margin_s = plan_.margin();
  if (lowest_cutoff_hz > 0.0 && !motion_only)
    tiling.margin_s =
        std::max(tiling.margin_s, plan_.motionMargin(lowest_cutoff_hz, kForgottenInAChoice));
  else if (lowest_cutoff_hz > 0.0 && !plan_.exact_motion)
    tiling.margin_s = plan_.motionMargin(std::min(lowest_cutoff_hz, plan_.motion_cutoff_hz));
  const auto rows = static_cast<double>(numRows());
  if (plan_.exact_motion && !motion_only) {
    tiling.core_rows = plainCoreRows(block_s_ * plan_.rateHz(), joints);
    tiling.windows = std::max<std::int64_t>(1, std::lround(rows / tiling.core_rows));
    return tiling;
  }
  const double row_rate = rows / std::max(duration_, plan_.dt);
  const auto margin = static_cast<std::int64_t>(tiling.margin_s * row_rate);
  const auto wanted = static_cast<std::int64_t>(kCoreMargins * tiling.margin_s * row_rate);
  const std::int64_t usual =
      motion_only ? kCoreRows : std::clamp(numRows() / kManyWindows, kCoreRows, kMostCoreRows);
  const std::int64_t core = std::max(
      {coreRows(usual, joints), std::min(wanted, coreRows(kLongCoreRows, joints)), margin});
  tiling.windows = std::max<std::int64_t>(1, numRows() / core);
  tiling.core_rows = rows / static_cast<double>(tiling.windows);
  return tiling;
}

std::pair<std::int64_t, std::int64_t> LogSource::windowRows(std::int64_t window,
                                                            const WindowTiling& tiling) const {
  const auto begin = [&](std::int64_t w) {
    if (w == tiling.windows) return end_row_;
    return first_row_ + std::lround(static_cast<double>(w) * tiling.core_rows);
  };
  return {begin(window), begin(window + 1)};
}

}  // namespace dynid
