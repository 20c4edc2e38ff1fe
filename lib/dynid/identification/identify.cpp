#include "dynid/identification/identify.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/identification/assemble_model.h"
#include "dynid/identification/diagnose_logs.h"
#include "dynid/identification/effort_drift.h"
#include "dynid/identification/effort_reservations.h"
#include "dynid/identification/estimate_motions.h"
#include "dynid/identification/explained_share.h"
#include "dynid/identification/find_delays.h"
#include "dynid/identification/find_gains.h"
#include "dynid/identification/lower_cutoff.h"
#include "dynid/identification/residual_bursts.h"
#include "dynid/identification/select_friction.h"
#include "dynid/identification/tune_prediction.h"
#include "dynid/identification/usability.h"
#include "dynid/statistics/record_statistics.h"
#include "dynid/statistics/statistics_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace dynid {
namespace {

// Options of all fits but the last: predictions hardly depend on the second stage.
FitOptions firstStageOptions(const IdentificationSettings& settings, bool scale_known) {
  FitOptions options;
  options.robust = settings.robust;
  options.scale_known = scale_known;
  options.threads = settings.threads;
  options.physical.margin = settings.margin;
  options.physical.second_stage = false;
  options.physical.gap_tolerance = settings.gap_tolerance;
  return options;
}

// Adds the body sensors of the recordings to the equations.
Equations withSensors(Equations equations, const Recordings& recordings) {
  if (!recordings.pools.empty()) return equations;  // statistics hold the joints' rows only
  equations.with_bodies = !distinctSensors(recordings).empty();
  equations.with_base = baseKnowledge(recordings).wrench;
  return equations;
}

// Inverse dynamics with the same base parameters.
Equations inverseDynamics(const Equations& fitted) {
  Equations equations;
  equations.with_bodies = fitted.with_bodies;
  equations.with_base = fitted.with_base;
  return equations;
}

// Options of a pass over a bounded part of the recordings, for choices that do not improve with
// more data.
GatherOptions subsample(const IdentificationSettings& settings, const Progress& progress) {
  constexpr std::int64_t kSubsampleRows = std::int64_t{1} << 19;
  GatherOptions options;
  options.pass = {.threads = settings.threads, .max_rows = kSubsampleRows, .team = settings.team};
  options.join_blocks = true;
  options.progress = progress;
  return options;
}

GatherOptions everything(const FoundGains& gains,
                         const FrictionModel& friction,
                         const IdentificationSettings& settings,
                         const Progress& progress) {
  GatherOptions options = subsample(settings, progress);
  options.pass.max_rows = 0;
  options.join_blocks = false;
  options.drive_gains = gains.of_currents;
  options.transmitting = &friction.transmitting;
  return options;
}

GatherOptions named(GatherOptions options, const std::string& name, const Equations& equations) {
  options.name = name;
  options.equations = equations;
  return options;
}

PredictionCutoffs predictionCutoffs(const Recordings& recordings,
                                    const Regression& regression,
                                    const Fit& fit,
                                    const GatherOptions& options,
                                    const FitOptions& fit_options) {
  if (recordings.logs.empty()) {  // without samples: those that the statistics hold
    const RecordedCutoffs recorded = recordedCutoffs(recordings);
    return {recorded.rigid,
            recorded.friction,
            explainedShare(recordings, regression, fit, *regression.statistics, fit_options)};
  }
  return tunePrediction(recordings, regression, fit, cutoffGrid(recordings), options, fit_options);
}

// The recordings with the described robot, without the root link as a body, which the joints' rows
// do not depend on.
Recordings withRobot(Recordings recordings, const std::shared_ptr<const Robot>& robot) {
  recordings.robot = robot;
  return recordings;
}

bool anyCorrected(const std::vector<LogDelay>& delays) {
  return std::any_of(
      delays.begin(), delays.end(), [](const LogDelay& log) { return log.removed.size() > 0; });
}

/// Refuses logs that are shorter than the integration window. Windows are shortened at the ends of
/// a log; in such a log no window would have its full length.
void requireLogsOfWindows(const Recordings& recordings, const Equations& equations) {
  const bool integral =
      equations.kind == EquationKind::kMomentum || equations.kind == EquationKind::kEnergy;
  if (!integral || std::isnan(equations.window_s)) return;
  for (const OpenedLog& log : recordings.logs)
    if (equations.window_s > log.source->duration())
      throw UsageError(fmt::format(
          "`window_s` {} s: the window is longer than {} ({} s); give a shorter one (one period of "
          "the cut-off is usual), or a longer log",
          toText(equations.window_s),
          log.source->input().path.string(),
          toText(log.source->duration(), 3)));
}

// Where only statistics are given: refuses settings for reading logs that differ from those with
// which the statistics were made.
void refuseOtherSettings(const IdentificationSettings& settings, const Recordings& recordings) {
  const IdentificationSettings defaults;
  std::vector<std::string> unused;
  if (!std::isnan(settings.cutoff_hz) && settings.cutoff_hz != sharedCutoff(recordings))
    unused.emplace_back("`cutoff_hz`");
  if (settings.from_s != defaults.from_s) unused.emplace_back("`from_s`");
  if (settings.to_s != defaults.to_s) unused.emplace_back("`to_s`");
  if (settings.motion != defaults.motion &&
      (settings.motion != "spline" || !recordings.spline_motion))
    unused.emplace_back("`motion`");
  if (settings.still_speed != defaults.still_speed &&
      settings.still_speed != recordings.least_moving_speed)
    unused.emplace_back("`still_speed`");
  if (!unused.empty())
    throw UsageError(
        join(unused) +
        ": the saved statistics were made with another value, which cannot be changed; "
        "give the logs, or make the statistics again");
}

Recordings openFor(const IdentificationSettings& settings,
                   const std::shared_ptr<const Robot>& robot,
                   const std::vector<LogInput>& inputs,
                   const Equations& equations) {
  Recordings recordings = openRecordings(robot,
                                         inputs,
                                         settings.statistics,
                                         {.signals = settings,
                                          .blocks = settings.blocks,
                                          .force = settings.force,
                                          .digests_beside = settings.threads > 1,
                                          .assumptions_searched = settings.assumptions_searched});
  if (inputs.empty()) refuseOtherSettings(settings, recordings);
  if (settings.motion == "estimated") requireEstimable(recordings, settings.team);
  requireLogsOfWindows(recordings, equations);
  return recordings;
}

FoundGains gainsOf(const Recordings& recordings, const GatherOptions& part) {
  return findDriveGains(recordings, plainEffects(recordings), named(part, "drive gains", {}));
}

/// Gains beside the friction that was selected with earlier ones: friction that these terms do not
/// describe would be taken for torque, and the standard deviations would be too small.
FoundGains gainsOf(const Recordings& recordings,
                   const FrictionModel& friction,
                   const GatherOptions& part) {
  GatherOptions options = named(part, "drive gains again", {});
  options.transmitting = &friction.transmitting;
  return findDriveGains(recordings, friction.chosen, options);
}

/// The recordings, opened again with a lower cut-off where the noise of the positions asks for it.
Recordings openWithLowerCutoff(const IdentificationSettings& settings,
                               const std::shared_ptr<const Robot>& robot,
                               const std::vector<LogInput>& inputs,
                               const Equations& equations,
                               const Progress& progress) {
  Recordings recordings = openFor(settings, robot, inputs, equations);
  if (!std::isnan(settings.cutoff_hz) || !mayNeedLowerCutoff(recordings)) return recordings;
  GatherOptions part = subsample(settings, progress);
  const FoundGains gains = gainsOf(recordings, part);
  part.drive_gains = gains.of_currents;
  const std::optional<LowerCutoff> lower = lowerCutoff(
      recordings, named(part, "cut-off", {}), firstStageOptions(settings, gains.scale_known));
  if (!lower) return recordings;
  IdentificationSettings lowered = settings;
  lowered.cutoff_hz = lower->cutoff_hz;
  recordings = openFor(lowered, robot, inputs, equations);
  for (const OpenedLog& log : recordings.logs) log.source->addFinding(findingOf(*lower));
  return recordings;
}

/// What is found in a bounded part of the logs, one with the help of the others.
struct Choices {
  GatherOptions part;
  FoundGains gains;
  FitOptions fit_options;
  FrictionModel friction;
  std::vector<LogDelay> delays;
};

Choices choose(const Recordings& recordings,
               const IdentificationSettings& settings,
               const std::vector<bool>& transmitted_torque,
               const Progress& progress) {
  Choices choices;
  auto& [part, gains, fit_options, friction, delays] = choices;
  part = subsample(settings, progress);
  gains = gainsOf(recordings, part);
  part.drive_gains = gains.of_currents;
  fit_options = firstStageOptions(settings, gains.scale_known);
  friction = selectFriction(recordings, part, fit_options, transmitted_torque);
  delays = findEffortDelays(recordings, friction, part);
  if (anyCorrected(delays))
    friction = selectFriction(recordings, part, fit_options, transmitted_torque);
  if (gains.searched()) {
    const FoundGains beside_plain = std::move(gains);
    gains = gainsOf(recordings, friction, part);
    widen(beside_plain, gains);
    part.drive_gains = gains.of_currents;
    fit_options.scale_known = gains.scale_known;
    friction = selectFriction(recordings, part, fit_options, transmitted_torque);
  }
  return choices;
}

// Estimates motions from a first fit with filtered motion; later passes use them.
void useEstimatedMotion(const Recordings& recordings,
                        const FrictionModel& friction,
                        const GatherOptions& options,
                        const FitOptions& fit_options) {
  const Regression regression = gather(recordings, friction.chosen, options);
  estimateMotions(recordings, regression, fitModel(recordings, regression, fit_options), options);
}

/// The fit to all rows.
struct WholeFit {
  std::optional<RecordedStatistics> recorded;  ///< where statistics are to be kept
  Regression regression;
  Fit fit;
  FitOptions options;  ///< with the weight of the prior

  std::vector<int> unsettled(const FrictionModel& friction) const {
    return unsettledActuators(regression, fit.parameters, friction.chosen);
  }
};

/// @returns whether any of the actuators was still allowed
bool forbid(const std::vector<int>& actuators, std::vector<bool>& allowed) {
  bool any = false;
  for (const int a : actuators) {
    any = any || allowed[a];
    allowed[a] = false;
  }
  return any;
}

WholeFit fitAllRows(const Recordings& recordings,
                    const std::shared_ptr<const Robot>& robot,
                    const FrictionModel& friction,
                    const GatherOptions& gathering,
                    FitOptions options,
                    const IdentificationSettings& settings) {
  std::optional<RecordedStatistics> recorded;
  if (settings.keep_statistics)
    recorded = recordStatistics(withRobot(recordings, robot),
                                unitedEffects(friction.offered),
                                named(gathering, "statistics", {}));
  // Recorded statistics contain all rows of the joints: without body sensors the logs are not read
  // again.
  const RecordedStatistics* in_place_of_logs =
      recorded && !gathering.equations.withSensors() ? &*recorded : nullptr;
  Regression regression = gather(recordings, friction.chosen, gathering, in_place_of_logs);
  Fit fit = fitModel(recordings, regression, options);
  if (settings.second_stage) {
    options.physical.second_stage = true;
    options.physical.prior_weight = choosePriorWeight(recordings, regression, fit, options);
    fit = refit(recordings, regression, fit, options);
  }
  return {std::move(recorded), std::move(regression), std::move(fit), options};
}

GatheredStatistics withCutoffs(GatheredStatistics statistics, const PredictionCutoffs& cutoffs) {
  statistics.rigid_cutoff_hz = cutoffs.rigid;
  statistics.friction_cutoff_hz = cutoffs.friction;
  return statistics;
}

void checkRequest(const std::vector<LogInput>& inputs, const IdentificationSettings& settings) {
  settings.check();
  if (inputs.empty() && settings.statistics.empty())
    throw UsageError("no log given; add `logs` FILE or `statistics` FILE");
  if (settings.keep_statistics && !settings.assumptions.empty())
    throw UsageError(
        "`keep_statistics`: statistics do not record what `apply_diagnosis` assumed about the "
        "logs; correct the logs (import mapping) and save the statistics of those");
}

bool isStill(const Finding& finding, int joint) {
  return finding.code == "joint-still" && finding.joint == joint;
}

/// Turns findings about a joint that rests in one log into notes without a remedy if it moves in
/// another log.
void noteStillBesideMoving(std::vector<std::vector<Finding>>& audits) {
  const std::vector<std::vector<Finding>> found = audits;
  for (std::vector<Finding>& findings : audits)
    for (Finding& finding : findings) {
      if (finding.joint < 0 || !isStill(finding, finding.joint)) continue;
      const bool moves_elsewhere = std::any_of(found.begin(), found.end(), [&](const auto& other) {
        return std::none_of(other.begin(), other.end(), [&](const Finding& theirs) {
          return isStill(theirs, finding.joint);
        });
      });
      if (!moves_elsewhere) continue;
      finding.severity = Finding::Severity::kNote;
      finding.remedy = "nothing: it moves in another log";
    }
}

/// The logs, and the findings of audit and diagnosis about each.
void addLogs(const Recordings& recordings,
             const std::vector<Diagnosis>& diagnoses,
             const std::vector<LogDelay>& delays,
             Identification& identification) {
  for (Eigen::Index i = 0; i < std::ssize(recordings.logs); ++i) {
    const std::shared_ptr<LogSource>& source = recordings.logs[i].source;
    identification.audits.push_back(withDiagnosis(source->findings(), diagnoses[i], delays[i]));
    identification.logs.push_back(source->input().path);
    source->setPredictionMotion(identification.model.signals.cutoff_hz);
    identification.sources.push_back(source);
  }
  noteStillBesideMoving(identification.audits);
  identification.diagnoses = diagnoses;
}

// Logs are compared by the names of their files before the folders, which may be temporary.
auto orderKey(const std::filesystem::path& path) { return std::pair(path.filename(), path); }

bool comesBefore(const std::filesystem::path& a, const std::filesystem::path& b) {
  return orderKey(a) < orderKey(b);
}

/// What `sorted` holds for the inputs `order`, in the order of the inputs.
template <typename T>
std::vector<T> inGivenOrder(std::vector<T> sorted, const std::vector<size_t>& order) {
  std::vector<T> given(sorted.size());
  for (size_t i = 0; i < order.size(); ++i) given[order[i]] = std::move(sorted[i]);
  return given;
}

Identification identifySorted(const std::shared_ptr<const Robot>& robot,
                              const std::vector<LogInput>& inputs,
                              const IdentificationSettings& settings,
                              const Progress& progress) {
  const Equations asked = equationsOf(settings.equations, *robot, settings.window_s);
  const Recordings recordings = openWithLowerCutoff(settings, robot, inputs, asked, progress);
  const std::vector<Diagnosis> diagnoses = diagnoseLogs(recordings, settings);
  const Equations equations = withSensors(asked, recordings);
  const bool accelerations = equations.kind == EquationKind::kInverseDynamics;

  std::vector<bool> transmitted_torque(recordings.robot->drives.size(), accelerations);
  Choices choices = choose(recordings, settings, transmitted_torque, progress);
  const FoundGains& gains = choices.gains;
  const FitOptions& fit_options = choices.fit_options;
  FrictionModel& friction = choices.friction;
  const GatherOptions all = everything(gains, friction, settings, progress);
  if (settings.motion == "estimated")
    useEstimatedMotion(recordings, friction, named(all, "first fit", {}), fit_options);

  const auto fit_all = [&] {
    return fitAllRows(
        recordings, robot, friction, named(all, "fit", equations), fit_options, settings);
  };
  WholeFit whole = fit_all();
  while (forbid(whole.unsettled(friction), transmitted_torque)) {
    friction = selectFriction(recordings, choices.part, fit_options, transmitted_torque);
    whole = fit_all();
  }
  const auto& [recorded, regression, fit, whole_options] = whole;
  // The joints' scores always use inverse dynamics, whatever equations were fitted.
  const std::shared_ptr<const Statistics> score =
      accelerations
          ? regression.statistics
          : gather(recordings, friction.chosen, named(all, "score", inverseDynamics(equations)))
                .statistics;
  if (accelerations) {
    reportBursts(recordings, regression, fit.parameters);
    reportDrifts(recordings, regression, fit.parameters, gains.scale_known);
  }
  const PredictionCutoffs cutoffs =
      predictionCutoffs(recordings, regression, fit, all, whole_options);

  Identification identification;
  identification.model = assembleModel(
      {recordings, gains, choices.delays, regression, *score, fit, cutoffs, settings});
  addLogs(recordings, diagnoses, choices.delays, identification);
  identification.model.status =
      judgedStatus(identification.model,
                   identification.audits,
                   diagnoses,
                   gains.doubtful,
                   frictionShares(regression, *score, identification.model.parameters));
  if (recorded)
    identification.statistics =
        std::make_shared<const GatheredStatistics>(withCutoffs(*recorded->pool.data, cutoffs));
  return identification;
}

}  // namespace

Identification identify(const std::shared_ptr<const Robot>& robot,
                        const std::vector<LogInput>& inputs,
                        const IdentificationSettings& settings,
                        const Progress& progress) {
  if (!robot) throw std::invalid_argument("identify: no robot");
  checkRequest(inputs, settings);
  // Parts that are left out in turn are consecutive: the order given must not matter.
  std::vector<size_t> order(inputs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return comesBefore(inputs[a].path, inputs[b].path);
  });
  std::vector<LogInput> sorted;
  for (const size_t i : order) sorted.push_back(inputs[i]);
  IdentificationSettings of_sorted = settings;
  std::sort(of_sorted.statistics.begin(), of_sorted.statistics.end(), comesBefore);
  Identification identification = identifySorted(robot, sorted, of_sorted, progress);
  identification.audits = inGivenOrder(std::move(identification.audits), order);
  identification.logs = inGivenOrder(std::move(identification.logs), order);
  identification.diagnoses = inGivenOrder(std::move(identification.diagnoses), order);
  identification.sources = inGivenOrder(std::move(identification.sources), order);
  return identification;
}

void saveStatistics(const std::filesystem::path& path, const Identification& identification) {
  if (!identification.statistics)
    throw UsageError("no statistics were kept; identify with `keep_statistics`");
  writeStatistics(path, *identification.statistics);
}

}  // namespace dynid
