#include "dynid/identification/find_delays.h"

#include "dynid/estimation/effort_delay.h"
#include "dynid/statistics/delay_moments.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

constexpr double kRange = 0.1;  // [s]
constexpr int kParts = 6;       // of a log, for the jackknife and for errors on unseen parts
// In standard deviations. A high threshold, because the standard deviations are too small if the
// filter biases the motion.
constexpr double kSignificant = 5.0;
constexpr double kLong = 0.02;  // [s] above it the finding is a warning
constexpr double kLeastOfStep =
    0.02;  // [sampling periods]; smaller delays are errors of the interpolation
// The error on unseen parts must fall by this fraction on average over the joints, and must not
// rise by more than this in any joint. Chosen on the training logs of nine robots
// (experiments/motion).
constexpr double kMinDelayGain = 0.002;
constexpr double kMostLoss = 0.01;
// A log needs this many rows for each column of the fit.
constexpr double kRowsPerColumn = 3.0;

bool enoughRows(const DelayMoments& moments) {
  for (const std::vector<ShiftMoments>& channel : moments.channels) {
    double rows = 0.0;
    for (const ShiftMoments& part : channel) rows += part.rows;
    const auto columns = static_cast<double>(channel.front().gram.rows() - moments.shifts);
    if (rows < kRowsPerColumn * columns) return false;
  }
  return true;
}

bool isWorthIt(const EffortDelay& found, const SignalPlan& plan) {
  return found.inside_range && std::abs(found.delay) > kLeastOfStep * plan.dt &&
         std::abs(found.delay) > kSignificant * found.std_dev &&
         found.error_ratio.array().log().mean() < std::log1p(-kMinDelayGain) &&
         found.error_ratio.maxCoeff() < 1.0 + kMostLoss;
}

void report(const EffortDelay& found, bool corrected, LogSource& source) {
  using Severity = Finding::Severity;
  constexpr double kMuchBetter = 0.9;  // ratio of errors
  const char* side = found.delay > 0.0 ? "later" : "earlier";
  if (corrected) {
    const bool is_long = std::abs(found.delay) > kLong;
    source.addFinding({is_long ? Severity::kWarning : Severity::kRepaired,
                       "effort-delay",
                       -1,
                       fmt::format("efforts are {:.1f} ms {} than the motion (standard deviation "
                                   "{:.1f} ms); the delay was removed",
                                   1e3 * std::abs(found.delay),
                                   side,
                                   1e3 * found.std_dev),
                       found.delay,
                       is_long ? "record positions and efforts at the same instant" : ""});
  } else if (!found.inside_range &&
             found.error_ratio.array().log().mean() < std::log(kMuchBetter)) {
    source.addFinding({Severity::kWarning,
                       "effort-delay-range",
                       -1,
                       fmt::format("efforts seem to be {} than the motion by more than the {:.0f} "
                                   "ms that were searched; the delay was not removed",
                                   side,
                                   1e3 * kRange),
                       found.delay,
                       "check that positions and efforts have time stamps of the same clock"});
  }
}

}  // namespace

std::vector<LogDelay> findEffortDelays(const Recordings& recordings,
                                       const FrictionModel& friction,
                                       const GatherOptions& options) {
  std::vector<LogDelay> delays(recordings.logs.size(), {std::nan(""), std::nan(""), false});
  // Motion without noise is not filtered, and the rows are as noisy as the efforts. In such logs
  // false delays of whole sampling periods were found.
  std::vector<size_t> searched;
  for (size_t i = 0; i < recordings.logs.size(); ++i)
    if (!recordings.logs[i].source->plan().exact_motion) searched.push_back(i);
  if (searched.empty()) return delays;
  const Regression regression = layOut(recordings, friction.chosen, options);
  const std::vector<LogRows> all = logRows(recordings, regression.payloads, options.drive_gains);
  std::vector<LogRows> logs;
  for (const size_t i : searched) logs.push_back(all[i]);
  RowBuilder builder(
      recordings.robot, regression.layout(), fixedColumns(regression), recordings.ramp_speed);
  builder.setTorqueModel(translated(friction.transmitting, regression.layout()));
  const std::vector<DelayMoments> moments =
      gatherDelayMoments(logs,
                         EquationRows(recordings.robot, std::move(builder), {}),
                         options.pass,
                         kRange,
                         kParts,
                         [&](const std::string& log, double fraction) {
                           if (options.progress)
                             options.progress("delay of the effort, " + log, fraction);
                         });
  for (size_t k = 0; k < searched.size(); ++k) {
    if (!enoughRows(moments[k])) continue;
    LogSource& source = *recordings.logs[searched[k]].source;
    const EffortDelay found =
        estimateEffortDelay(moments[k].channels, moments[k].shifts, moments[k].step);
    const bool corrected = isWorthIt(found, source.plan());
    delays[searched[k]] = {found.delay, found.std_dev, corrected};
    if (corrected) source.setEffortDelay(found.delay);
    report(found, corrected, source);
  }
  return delays;
}

double predictionDelay(const Recordings& recordings) {
  std::vector<std::pair<double, double>> delays;  // delay, duration
  double total = 0.0;
  for (const OpenedLog& log : recordings.logs) {
    delays.emplace_back(log.source->plan().effort_delay, log.source->duration());
    total += log.source->duration();
  }
  std::sort(delays.begin(), delays.end());
  double passed = 0.0;
  for (const auto& [delay, duration] : delays) {
    passed += duration;
    if (passed >= 0.5 * total) return delay;
  }
  return 0.0;
}

}  // namespace dynid
