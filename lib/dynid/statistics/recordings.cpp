#include "dynid/statistics/recordings.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/estimation/block_clusters.h"
#include "dynid/robot/root_body.h"
#include "dynid/statistics/base_wrench.h"
#include "dynid/statistics/same_description.h"
#include "dynid/statistics/statistics_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace dynid {
namespace {

void refuseBadLogs(const std::vector<std::shared_ptr<LogSource>>& sources,
                   const OpenOptions& options) {
  std::string message;
  for (const auto& source : sources) {
    for (const Finding& finding : source->findings()) {
      if (finding.severity != Finding::Severity::kRefuse) continue;
      message += (message.empty() ? "" : "\n") + source->input().path.string() + ": " +
                 finding.message + (finding.remedy.empty() ? "" : "; " + finding.remedy);
    }
    if (source->info().effort_kind == EffortKind::kNone)
      throw InputError(source->input().path.string() +
                       ": has neither effort nor current; there is nothing to fit");
  }
  if (message.empty() || options.force) return;
  throw InputError(
      message + (options.assumptions_searched
                     ? "\n(`apply_diagnosis` cannot undo that; use `force` to continue anyway)"
                     : "\n(use `apply_diagnosis` to undo what the diagnosis of the log can undo, "
                       "or `force` to continue anyway)"));
}

// Sets one cut-off frequency for all logs: of those chosen for each, the upper quartile by
// duration. Below the cut-off of a fast log its friction and drive inertia are biased; above that
// of a slow log there is only more noise. A log whose efforts were low-passed before they were
// saved keeps its own cut-off if that is lower: its efforts lack what the filter has removed.
void shareCutoff(const std::vector<std::shared_ptr<LogSource>>& sources) {
  constexpr double kShareOfTime = 0.75;
  if (sources.empty()) return;
  std::vector<size_t> order(sources.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return sources[a]->plan().cutoff_hz < sources[b]->plan().cutoff_hz;
  });
  double total = 0.0, passed = 0.0;
  for (const auto& source : sources) total += source->duration();
  double cutoff = sources[order.front()]->plan().cutoff_hz;
  for (size_t i : order) {
    cutoff = sources[i]->plan().cutoff_hz;
    passed += sources[i]->duration();
    if (passed >= kShareOfTime * total) break;
  }
  for (const auto& source : sources) {
    const SignalPlan& plan = source->plan();
    if (plan.lowered_by_prefilter)
      source->setCutoffs(std::min(cutoff, plan.cutoff_hz), plan.motion_cutoff_hz);
    else
      source->setCutoff(cutoff);
  }
}

std::vector<std::shared_ptr<LogSource>> openLogs(const std::shared_ptr<const Robot>& robot,
                                                 const std::vector<LogInput>& inputs,
                                                 const OpenOptions& options) {
  std::vector<std::shared_ptr<LogSource>> sources;
  std::string unusable;  // all unusable logs are reported together
  for (const LogInput& input : inputs) {
    try {
      sources.push_back(std::make_shared<LogSource>(robot, input, options.signals));
    } catch (const InputError& error) {
      unusable += (unusable.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  if (!unusable.empty()) throw InputError(unusable);
  refuseBadLogs(sources, options);
  shareCutoff(sources);
  return sources;
}

PayloadTable payloadsOf(const Robot& robot,
                        const std::vector<std::shared_ptr<LogSource>>& sources) {
  std::vector<std::optional<PayloadNote>> notes;
  std::vector<std::string> options;
  std::vector<std::filesystem::path> files;
  for (const auto& source : sources) {
    notes.push_back(source->info().payload);
    options.push_back(source->input().payload);
    files.push_back(source->input().path);
  }
  return collectPayloads(robot, notes, options, files);
}

std::vector<StatisticsFile> openStatistics(const Robot& robot,
                                           const std::vector<std::filesystem::path>& paths,
                                           bool force) {
  std::vector<StatisticsFile> files;
  for (const std::filesystem::path& path : paths) {
    files.push_back({path, readRecording(path, robot), {}, {}});
    requireSameGravity(robot, files.back().recording, path.string());
    if (force)
      noteOtherTexts(robot, files.back().recording);
    else
      requireSameTexts(robot,
                       files.back().recording,
                       path.string(),
                       "use the same files, or `force` if only bounds changed");
  }
  return files;
}

// The payloads of the logs, followed by those that only the statistics contain.
std::vector<Payload> allPayloads(PayloadTable table, const std::vector<StatisticsFile>& files) {
  for (const StatisticsFile& file : files)
    for (const Payload& payload : file.recording.payloads)
      addPayload(table, payload, file.path.string() + ":/payloads");
  return std::move(table.payloads);
}

// The logs of the statistics in the order of the files, with indices into `payloads`.
std::vector<GatheredLog> logsOf(const std::vector<StatisticsFile>& files,
                                const std::vector<Payload>& payloads) {
  std::vector<GatheredLog> logs;
  for (const StatisticsFile& file : files)
    for (GatheredLog log : file.recording.logs) {
      if (log.payload >= 0) {
        const std::string& name = file.recording.payloads.at(log.payload).name;
        const auto same = [&](const Payload& payload) { return payload.name == name; };
        const auto found = std::find_if(payloads.begin(), payloads.end(), same);
        if (found != payloads.end()) log.payload = static_cast<int>(found - payloads.begin());
      }
      logs.push_back(std::move(log));
    }
  return logs;
}

// Blocks of one length for all recordings; those of saved statistics come first.
struct SharedBlocks {
  double length_s = 0.0;
  std::vector<LogBlocks> of_stretches;
  std::vector<int> block_log;
  std::vector<Stretch> stretches;
};

SharedBlocks assignBlocks(const BlockPlan& plan,
                          const std::vector<double>& durations,
                          const std::vector<double>& periods) {
  SharedBlocks shared;
  shared.length_s = plan.block_s;
  for (size_t s = 0; s < durations.size(); ++s) {
    const LogBlocks blocks{plan.first[s], plan.count[s], plan.block_s};
    shared.of_stretches.push_back(blocks);
    shared.stretches.push_back({blocks.first, blocks.count, durations[s], periods[s]});
    for (int b = 0; b < blocks.count; ++b)  // stretches may share a block
      if (blocks.first + b == std::ssize(shared.block_log))
        shared.block_log.push_back(static_cast<int>(s));
  }
  return shared;
}

// Chooses the common block length and assigns blocks to the stretches of all statistics and logs.
// Blocks must not be shorter than those of the statistics, which cannot be divided.
SharedBlocks shareBlocks(const std::vector<std::shared_ptr<LogSource>>& sources,
                         int blocks,
                         std::vector<StatisticsFile>& files) {
  std::vector<double> durations, periods;
  double at_least_s = 0.0, piece_s = std::numeric_limits<double>::infinity();
  for (const StatisticsFile& file : files) {
    const std::vector<double>& stretches = file.recording.stretch_durations;
    durations.insert(durations.end(), stretches.begin(), stretches.end());
    const std::vector<double>& repeats = file.recording.stretch_periods;
    periods.insert(periods.end(), repeats.begin(), repeats.end());
    at_least_s = std::max(at_least_s, file.recording.block_s);
  }
  for (const auto& source : sources) {
    durations.push_back(source->duration());
    periods.push_back(source->motionPeriodS());
  }
  for (double period : periods)
    if (period > 0.0) piece_s = std::min(piece_s, period / kClustersPerPeriod);
  SharedBlocks shared =
      assignBlocks(planBlocks(durations, blocks, at_least_s, piece_s), durations, periods);
  auto stretch = shared.of_stretches.cbegin();
  for (StatisticsFile& file : files)
    for (size_t s = 0; s < file.recording.stretch_durations.size(); ++s, ++stretch) {
      file.first_block.push_back(stretch->first);
      file.num_blocks.push_back(stretch->count);
    }
  for (const auto& source : sources) source->setBlocks(shared.length_s);
  return shared;
}

// Rounds a speed to powers of four of `base`, so that logs of the same robot have the same
// candidate columns and their statistics can be merged.
double coarse(double speed, double base) {
  return base * std::pow(4.0, std::round(std::log(speed / base) / std::log(4.0)));
}
double coarseBelow(double speed, double base) {
  return base * std::pow(4.0, std::floor(std::log(speed / base) / std::log(4.0) + 1e-9));
}

struct SharedSpeeds {
  Eigen::VectorXd ramp, typical;
};

// Common speeds of all recordings: the smallest ramp and the largest typical speed, both rounded.
// With statistics, their ramp is used.
SharedSpeeds shareSpeeds(Eigen::Index actuators,
                         const std::vector<std::shared_ptr<LogSource>>& sources,
                         const std::vector<PooledStatistics>& pools,
                         double still_speed) {
  SharedSpeeds speeds{Eigen::VectorXd::Constant(actuators, still_speed),
                      Eigen::VectorXd::Zero(actuators)};
  for (const auto& source : sources) {
    speeds.ramp = speeds.ramp.cwiseMin(source->plan().still_speed);
    speeds.typical = speeds.typical.cwiseMax(source->typicalSpeed());
  }
  // Velocities derived from exact positions have the right sign down to rounding; no ramp is
  // needed.
  const auto exact = [](const auto& source) { return source->plan().exact_motion; };
  if (!sources.empty() && std::all_of(sources.begin(), sources.end(), exact)) speeds.ramp.setZero();
  for (double& speed : speeds.ramp)
    if (speed > 0.0) speed = coarseBelow(speed, still_speed);
  for (const PooledStatistics& pool : pools) {
    speeds.ramp = pool.data->still_speed;  // the recorded columns use this ramp
    speeds.typical = speeds.typical.cwiseMax(pool.data->typical_speed);
  }
  for (double& speed : speeds.typical) speed = coarse(speed, 1.0);
  return speeds;
}

// Whether the load-dependent friction of all statistics uses the same model of the transmitted
// torque.
bool sameTransmittedTorque(const std::vector<StatisticsFile>& files) {
  for (const StatisticsFile& file : files) {
    const GatheredStatistics& first = files.front().recording;
    const GatheredStatistics& recording = file.recording;
    for (int c = 0; c < recording.layout.size(); ++c) {
      const double value = recording.transmitting_parameters(c);
      if (value == 0.0) continue;
      bool same = false;
      for (int d = 0; d < first.layout.size() && !same; ++d)
        same = sameColumn(first.layout[d], recording.layout[c]) &&
               std::abs(first.transmitting_parameters(d) - value) <= 1e-9 * std::abs(value);
      if (!same) return false;
    }
  }
  return !files.empty();
}

// Makes the root link a body if its inertia can be identified: if the wrench that supports it is
// measured.
std::shared_ptr<const Robot> withRootIfWeighed(std::shared_ptr<const Robot> robot,
                                               const std::vector<LogInput>& inputs) {
  if (hasRootBody(*robot)) return robot;
  for (const LogInput& input : inputs)
    if (hasBaseWrench(input.path)) return std::make_shared<const Robot>(withRootBody(*robot));
  return robot;
}

std::vector<RecordedTuning> tuningsOf(const std::vector<StatisticsFile>& files) {
  std::vector<RecordedTuning> tunings;
  for (const StatisticsFile& file : files) {
    const GatheredStatistics& saved = file.recording;
    const double duration =
        std::accumulate(saved.stretch_durations.begin(), saved.stretch_durations.end(), 0.0);
    tunings.push_back(
        {duration, saved.effort_delay, saved.rigid_cutoff_hz, saved.friction_cutoff_hz});
  }
  return tunings;
}

// Per entry the median of the vectors, weighted by the durations. An empty vector counts as zero.
Eigen::VectorXd mediansByDuration(const std::vector<std::pair<Eigen::VectorXd, double>>& recorded,
                                  Eigen::Index size) {
  Eigen::VectorXd medians = Eigen::VectorXd::Zero(size);
  for (Eigen::Index a = 0; a < size; ++a) {
    std::vector<std::pair<double, double>> values;  // value, duration
    double total = 0.0;
    for (const auto& [vector, duration] : recorded) {
      values.emplace_back(vector.size() > 0 ? vector(a) : 0.0, duration);
      total += duration;
    }
    std::sort(values.begin(), values.end());
    double passed = 0.0;
    for (const auto& [value, duration] : values) {
      passed += duration;
      medians(a) = value;
      if (passed >= 0.5 * total) break;
    }
  }
  return medians;
}

// Whether the motion of all recordings is made by splines.
bool sharedMotion(const std::vector<std::shared_ptr<LogSource>>& sources,
                  const std::vector<StatisticsFile>& files) {
  std::vector<std::pair<std::string, bool>> splines;  // file, whether by splines
  for (const StatisticsFile& file : files)
    splines.emplace_back(file.path.string(), file.recording.spline_motion);
  for (const auto& source : sources)
    splines.emplace_back(source->input().path.string(),
                         source->plan().motion == MotionModel::kSpline);
  if (splines.empty()) return false;
  for (const auto& [file, by_splines] : splines)
    if (by_splines != splines.front().second)
      throw InputError(
          fmt::format("{}: its motion is made by {}, that of {} by {}; use the same "
                      "`motion` for all logs and statistics",
                      file,
                      by_splines ? "splines" : "filters",
                      splines.front().first,
                      by_splines ? "filters" : "splines"));
  return splines.front().second;
}

// The smallest speed that counts as moving: that of the logs, or the largest of the statistics.
double leastMovingSpeed(double of_logs, bool with_logs, const std::vector<StatisticsFile>& files) {
  if (with_logs) return of_logs;
  double speed = 0.0;
  for (const StatisticsFile& file : files)
    speed = std::max(speed, file.recording.least_moving_speed);
  return speed;
}

}  // namespace

Eigen::VectorXd predictionDelays(const Recordings& recordings) {
  std::vector<std::pair<Eigen::VectorXd, double>> removed;  // delays, duration
  for (const RecordedTuning& file : recordings.tunings)
    removed.emplace_back(file.effort_delay, file.duration_s);
  for (const OpenedLog& log : recordings.logs)
    removed.emplace_back(log.source->plan().effort_delay, log.source->duration());
  const Eigen::VectorXd of_predictions =
      mediansByDuration(removed, std::ssize(recordings.robot->drives));
  return of_predictions.isZero(0.0) ? Eigen::VectorXd() : of_predictions;
}

RecordedCutoffs recordedCutoffs(const Recordings& recordings) {
  std::vector<std::pair<Eigen::VectorXd, double>> rigid, friction;
  for (const RecordedTuning& file : recordings.tunings) {
    rigid.emplace_back(file.rigid_cutoff_hz, file.duration_s);
    friction.emplace_back(file.friction_cutoff_hz, file.duration_s);
  }
  const Eigen::Index actuators = std::ssize(recordings.robot->drives);
  return {mediansByDuration(rigid, actuators), mediansByDuration(friction, actuators)};
}

double sharedCutoff(const Recordings& recordings) {
  double cutoff = 0.0;
  for (const OpenedLog& log : recordings.logs)
    cutoff = std::max(cutoff, log.source->plan().cutoff_hz);
  if (recordings.logs.empty())
    for (const PooledStatistics& pool : recordings.pools)
      for (const GatheredLog& log : pool.data->logs) cutoff = std::max(cutoff, log.cutoff_hz);
  if (!(cutoff > 0.0)) throw std::logic_error("recordings without logs have no cut-off");
  return cutoff;
}

Recordings openRecordings(std::shared_ptr<const Robot> robot,
                          const std::vector<LogInput>& logs,
                          const std::vector<std::filesystem::path>& statistics,
                          const OpenOptions& options) {
  // Saved statistics contain only rows of the joints, in which the root link has no effect.
  if (statistics.empty()) robot = withRootIfWeighed(std::move(robot), logs);
  const auto sources = openLogs(robot, logs, options);
  const PayloadTable payloads = payloadsOf(*robot, sources);
  std::vector<StatisticsFile> files = openStatistics(*robot, statistics, options.force);
  const bool spline_motion = sharedMotion(sources, files);
  const SharedBlocks blocks = shareBlocks(sources, options.blocks, files);
  std::vector<PooledStatistics> pools = pooled(robot, files, blocks.length_s);
  const SharedSpeeds speeds =
      shareSpeeds(robot->numJoints(), sources, pools, options.signals.still_speed);
  std::vector<OpenedLog> opened;
  for (size_t i = 0; i < sources.size(); ++i) {
    std::vector<BodySensor> sensors;
    if (statistics.empty())
      sensors = bodySensorsOf(*robot, sources[i]->input().path, sources[i]->info().rows);
    const LogBlocks& of_log = blocks.of_stretches[blocks.of_stretches.size() - sources.size() + i];
    opened.push_back({sources[i], of_log, payloads.of_log[i], std::move(sensors)});
  }
  // Last step: once a second thread runs, files are opened without the trial in a child process
  // (checkInForkedWorker).
  std::vector<std::filesystem::path> paths;
  for (const LogInput& input : logs) paths.push_back(input.path);
  auto digests = std::make_shared<FileDigests>(std::move(paths), options.digests_beside);
  const std::vector<Payload> all_payloads = allPayloads(payloads, files);
  return {std::move(robot),
          std::move(opened),
          std::move(pools),
          tuningsOf(files),
          logsOf(files, all_payloads),
          all_payloads,
          blocks.length_s,
          blocks.block_log,
          blocks.stretches,
          speeds.ramp,
          speeds.typical,
          sameTransmittedTorque(files),
          spline_motion,
          leastMovingSpeed(options.signals.still_speed, !logs.empty(), files),
          std::move(digests)};
}

Recordings withJoinedBlocks(const Recordings& recordings, int most) {
  Recordings joined = recordings;
  if (!recordings.pools.empty() || std::ssize(recordings.block_log) <= most) return joined;
  std::vector<double> durations, periods;
  for (const Stretch& stretch : recordings.stretches) {
    durations.push_back(stretch.duration_s);
    periods.push_back(stretch.period_s);
  }
  const SharedBlocks blocks =
      assignBlocks(planBlocks(durations, most, recordings.block_s), durations, periods);
  joined.block_s = blocks.length_s;
  joined.block_log = blocks.block_log;
  joined.stretches = blocks.stretches;
  for (size_t i = 0; i < joined.logs.size(); ++i) joined.logs[i].blocks = blocks.of_stretches[i];
  return joined;
}

BaseKnowledge baseKnowledge(const Recordings& recordings) {
  BaseKnowledge base;
  for (const OpenedLog& log : recordings.logs) {
    if (log.source->base() == nullptr) continue;
    base.moves |= recordings.robot->floating_base;
    base.wrench |= log.source->base()->hasWrench();
  }
  for (const PooledStatistics& pool : recordings.pools) base.moves |= pool.view->baseMoves();
  return base;
}

std::vector<BodySensor> distinctSensors(const Recordings& recordings) {
  std::vector<BodySensor> distinct;
  for (const OpenedLog& log : recordings.logs)
    for (const BodySensor& sensor : log.sensors)
      if (std::none_of(distinct.begin(), distinct.end(), [&](const BodySensor& known) {
            return known.link == sensor.link;
          }))
        distinct.push_back(sensor);
  return distinct;
}

}  // namespace dynid
