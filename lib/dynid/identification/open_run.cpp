#include "dynid/identification/open_run.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/statistics/statistics_file.h"
#include "dynid/statistics/statistics_pool.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dynid {
namespace {

void refuseBadLogs(const Run& run) {
  std::string message;
  for (const LogRun& log : run.logs) {
    for (const Finding& finding : log.source->findings()) {
      if (finding.severity != Finding::Severity::kRefuse) continue;
      message += (message.empty() ? "" : "\n") + log.source->input().path.string() + ": " +
                 finding.message + (finding.remedy.empty() ? "" : "; " + finding.remedy);
    }
    if (log.source->info().effort_kind == EffortKind::kNone)
      throw InputError(log.source->input().path.string() +
                       ": has neither effort nor current; there is nothing to fit");
  }
  if (!message.empty() && !run.settings->force)
    throw InputError(message + "\n(--force goes on all the same)");
}

// Logs are filtered alike: the duration-weighted median of what each would choose.
void shareCutoff(std::vector<LogRun>& logs) {
  if (logs.empty()) return;
  std::vector<size_t> order(logs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return logs[a].source->plan().cutoff_hz < logs[b].source->plan().cutoff_hz;
  });
  double total = 0.0, passed = 0.0;
  for (const LogRun& log : logs) total += log.source->duration();
  double cutoff = logs[order.front()].source->plan().cutoff_hz;
  for (size_t i : order) {
    cutoff = logs[i].source->plan().cutoff_hz;
    passed += logs[i].source->duration();
    if (passed >= 0.5 * total) break;
  }
  for (const LogRun& log : logs)
    log.source->setCutoff(std::min(cutoff, 0.2 * log.source->plan().rateHz()));
}

void openLogs(Run& run, const std::vector<LogInput>& inputs) {
  std::vector<std::optional<PayloadNote>> notes;
  std::vector<std::string> options, files;
  std::string unusable;  // all of them: a fleet is mended at once, not log by log
  for (const LogInput& input : inputs) {
    LogRun log;
    try {
      log.source = std::make_shared<LogSource>(run.robot, input, *run.settings);
    } catch (const InputError& error) {
      unusable += (unusable.empty() ? "" : "\n") + std::string(error.what());
      continue;
    }
    notes.push_back(log.source->info().payload);
    options.push_back(input.payload);
    files.push_back(input.path.filename().string());
    run.logs.push_back(std::move(log));
  }
  if (!unusable.empty()) throw InputError(unusable);
  refuseBadLogs(run);
  shareCutoff(run.logs);
  run.payloads = collectPayloads(*run.robot, notes, options, files);
}

void requireSameRobot(const Run& run, const GatheredStatistics& gathered, const std::string& file) {
  const Robot& robot = *run.robot;
  if ((gathered.gravity - robot.gravity).norm() > 1e-9 * robot.gravity.norm())
    throw InputError(file + ":/: was made with gravity " + toText(gathered.gravity.norm()) +
                     " m/s^2 in another direction or of another size; make it again with this "
                     "robot description");
  if (gathered.robot_sha256 == robot.sha256 || run.settings->force) return;
  throw InputError(file + ":/: was made with another description of robot \"" +
                   gathered.robot_name +
                   "\" (its texts differ); use the same files, or --force if only bounds changed");
}

std::vector<StatisticsFile> openStatistics(Run& run,
                                           const std::vector<std::filesystem::path>& paths) {
  std::vector<StatisticsFile> files;
  for (const std::filesystem::path& path : paths) {
    files.push_back({path, readRecording(path, *run.robot), {}, {}});
    const GatheredStatistics& recording = files.back().recording;
    requireSameRobot(run, recording, path.string());
    for (const Payload& payload : recording.payloads) {
      const auto same = [&](const Payload& known) { return known.name == payload.name; };
      if (std::none_of(run.payloads.payloads.begin(), run.payloads.payloads.end(), same))
        run.payloads.payloads.push_back(payload);
    }
  }
  return files;
}

// Blocks of one length over all logs, those of gathered statistics first.
void shareBlocks(Run& run, std::vector<StatisticsFile>& files) {
  std::vector<double> durations;
  double at_least_s = 0.0;
  for (const StatisticsFile& file : files) {
    const std::vector<double>& own = file.recording.stretch_durations;
    durations.insert(durations.end(), own.begin(), own.end());
    at_least_s = std::max(at_least_s, file.recording.block_s);
  }
  for (const LogRun& log : run.logs) durations.push_back(log.source->duration());
  const BlockPlan plan = planBlocks(durations, run.settings->blocks, at_least_s);
  run.block_s = plan.block_s;
  size_t stretch = 0;
  const auto next = [&](int& first, int& count) {
    first = plan.first[stretch];
    count = plan.count[stretch];
    for (int b = 0; b < count; ++b)  // stretches may share a block
      if (first + b == static_cast<int>(run.block_log.size()))
        run.block_log.push_back(static_cast<int>(stretch));
    ++stretch;
  };
  for (StatisticsFile& file : files)
    for (size_t s = 0; s < file.recording.stretch_durations.size(); ++s)
      next(file.first_block.emplace_back(), file.num_blocks.emplace_back());
  for (LogRun& log : run.logs) {
    log.block_s = plan.block_s;
    log.source->setBlocks(plan.block_s);
    next(log.first_block, log.num_blocks);
  }
}

// Speeds on a coarse scale, so that logs of the same robot have the same candidate columns and
// their statistics can be merged.
double coarse(double speed, double base) {
  return base * std::pow(4.0, std::round(std::log(speed / base) / std::log(4.0)));
}
double coarseBelow(double speed, double base) {
  return base * std::pow(4.0, std::floor(std::log(speed / base) / std::log(4.0) + 1e-9));
}

void shareSpeeds(Run& run) {
  const Eigen::Index n = run.robot->numJoints();
  const double still = run.settings->still_speed;
  run.still_speed = Eigen::VectorXd::Constant(n, still);
  run.typical_speed = Eigen::VectorXd::Zero(n);
  for (const LogRun& log : run.logs) {
    run.still_speed = run.still_speed.cwiseMin(log.source->plan().still_speed);
    run.typical_speed = run.typical_speed.cwiseMax(log.source->typicalSpeed());
  }
  // Velocities made from exact positions have a sign down to rounding: no ramp through zero.
  const auto exact = [](const LogRun& log) { return log.source->plan().exact_motion; };
  if (!run.logs.empty() && std::all_of(run.logs.begin(), run.logs.end(), exact))
    run.still_speed.setZero();
  for (double& speed : run.still_speed)
    if (speed > 0.0) speed = coarseBelow(speed, still);
  for (const GatheredRun& gathered : run.gathered) {
    run.still_speed = gathered.data->still_speed;  // the columns are recorded so
    run.typical_speed = run.typical_speed.cwiseMax(gathered.data->typical_speed);
  }
  for (double& speed : run.typical_speed) speed = coarse(speed, 1.0);
}

// What load-dependent friction was recorded at, if all statistics agree.
void shareLoad(Run& run, const std::vector<StatisticsFile>& files) {
  for (const StatisticsFile& file : files) {
    const GatheredStatistics& first = files.front().recording;
    const GatheredStatistics& own = file.recording;
    for (int c = 0; c < own.layout.size(); ++c) {
      const double value = own.load_parameters(c);
      if (value == 0.0) continue;
      bool same = false;
      for (int d = 0; d < first.layout.size() && !same; ++d)
        same = sameColumn(first.layout[d], own.layout[c]) &&
               std::abs(first.load_parameters(d) - value) <= 1e-9 * std::abs(value);
      if (!same) return;
    }
  }
  run.load_recorded = !files.empty();
}

}  // namespace

Run openRun(std::shared_ptr<const Robot> robot,
            const std::vector<LogInput>& logs,
            const std::vector<std::filesystem::path>& statistics,
            const IdentificationSettings& settings,
            const Progress& progress) {
  Run run;
  run.robot = std::move(robot);
  run.settings = &settings;
  run.progress = &progress;
  openLogs(run, logs);
  std::vector<StatisticsFile> files = openStatistics(run, statistics);
  shareBlocks(run, files);
  shareLoad(run, files);
  run.gathered = pooled(run.robot, files, run.block_s);
  shareSpeeds(run);
  // Last: beside another thread files are opened without a trial by a process of its own
  // (checkInForkedWorker).
  std::vector<std::filesystem::path> paths;
  for (const LogInput& input : logs) paths.push_back(input.path);
  run.log_digests = std::make_shared<FileDigests>(std::move(paths), settings.threads > 1);
  return run;
}

}  // namespace dynid
