#include "dynid/identification/find_delays.h"

#include "dynid/core/text.h"
#include "dynid/estimation/effort_delay.h"
#include "dynid/identification/clock_drift.h"
#include "dynid/statistics/delay_moments.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>

namespace dynid {
namespace {

using Eigen::Index;

constexpr int kParts = 6;  // of a log, for the jackknife and for errors on unseen parts
// In standard deviations. A high threshold, because the standard deviations are too small if the
// filter biases the motion.
constexpr double kSignificant = 5.0;
constexpr double kLong = 0.02;  // [s] above it the finding is a warning
// [sampling periods] Smaller delays are errors of the interpolation. Motion without noise is
// filtered for the search only: what the filter leaves out must not become a delay.
constexpr double kLeastOfStep = 0.02, kLeastOfExactStep = 0.5;
constexpr double kUncertain = 0.005;  // [s] a delay that cannot be excluded and is worth a note
// The error on unseen parts must fall by the fraction kMinDelayGain on average over the joints, and
// must not rise by more than the fraction kMostLoss in any joint. Chosen on the training logs of
// nine robots (experiments/motion). A joint whose own delay agrees with the common one (within
// kAgreement standard deviations) is no objection: where joints move one after another, its error
// on parts in which it hardly moves says nothing.
constexpr double kMinDelayGain = 0.002;
constexpr double kMostLoss = 0.01;
constexpr double kAgreement = 2.0;
// The error of an effort with a delay of its own must fall by this fraction. Friction and
// elasticity in front of the link look like a delay too, but gain less: up to 18 % on the same
// logs, and not on other logs of the robot.
constexpr double kMinSeparateGain = 0.25;
// A log needs this many different rows for each column of the fit: rows of a repeated motion count
// once.
constexpr double kRowsPerColumn = 3.0;

double rowsOf(const std::vector<ShiftMoments>& parts) {
  double rows = 0.0;
  for (const ShiftMoments& part : parts) rows += part.rows;
  return rows;
}

// Whether every channel has enough different rows for a fit of its own.
bool enoughRows(const DelayMoments& moments) {
  for (const std::vector<ShiftMoments>& channel : moments.channels) {
    const auto columns = static_cast<double>(channel.front().gram.rows() - moments.shifts);
    if (moments.unrepeated * rowsOf(channel) < kRowsPerColumn * columns) return false;
  }
  return true;
}

void reportNotSearched(double rows, double needed, LogSource& source) {
  source.addFinding({Finding::Severity::kNote,
                     "effort-delay-not-searched",
                     -1,
                     fmt::format("a delay of the efforts was not searched: the log holds {:.0f} "
                                 "different samples in motion, {:.0f} are needed",
                                 rows,
                                 needed),
                     rows,
                     "record a longer motion that does not repeat itself"});
}

const char* sideOf(const EffortDelay& found) { return found.delay > 0.0 ? "later" : "earlier"; }

// @param largest_ratio  of the errors of the joints that count
bool isWorthIt(const EffortDelay& found, double largest_ratio, const SignalPlan& plan) {
  const double least = plan.exact_motion ? kLeastOfExactStep : kLeastOfStep;
  return found.inside_range && std::abs(found.delay) > least * plan.dt &&
         std::abs(found.delay) > kSignificant * found.std_dev &&
         found.error_ratio.array().log().mean() < std::log1p(-kMinDelayGain) &&
         largest_ratio < 1.0 + kMostLoss;
}

// Channels whose efforts can only be shifted together.
using Together = std::vector<Index>;

// One channel each, but all of coupled drives whose efforts are recorded on the joint side: the
// effort of an actuator is a sum of such columns.
std::vector<Together> groupsOf(const Robot& robot) {
  std::vector<Index> group(robot.drives.size());
  std::iota(group.begin(), group.end(), 0);
  for (Index joint = 0; joint < robot.T.rows(); ++joint)
    for (Index a = 0; a < robot.T.cols(); ++a)
      for (Index b = 0; b < a; ++b)
        if (robot.T(joint, a) != 0.0 && robot.T(joint, b) != 0.0 && !robot.measured_at_actuator[a])
          std::replace(group.begin(), group.end(), Index(group[a]), Index(group[b]));
  std::map<Index, Together> members;
  for (Index a = 0; a < std::ssize(group); ++a) members[group[a]].push_back(a);
  std::vector<Together> groups;
  for (auto& [first, channels] : members) groups.push_back(std::move(channels));
  return groups;
}

// The delays of one log.
struct SeparateDelays {
  EffortDelay common;  ///< of the channels without a delay of their own
  bool common_removed = false;
  std::vector<std::pair<Together, EffortDelay>> separate;
  Eigen::VectorXd largest_alone;  ///< as LogDelay
};

bool isSeparate(const EffortDelays& delays,
                const Together& group,
                const EffortDelay& alone,
                const EffortDelay& others) {
  double gain = 0.0;
  for (Index k = 0; k < std::ssize(group); ++k)
    gain += std::log(delays.errorRatio(group[k], others.delay) / alone.error_ratio(k));
  return alone.inside_range && alone.error_ratio.maxCoeff() < 1.0 + kMostLoss &&
         gain > -std::log1p(-kMinSeparateGain) * static_cast<double>(group.size()) &&
         std::abs(alone.delay - others.delay) >
             kSignificant * std::hypot(alone.std_dev, others.std_dev);
}

// The largest error ratio of a common delay, without groups whose own delays agree with it.
// @param groups  the channels of `common`, in its order
double largestRatio(const EffortDelay& common,
                    const std::vector<Together>& groups,
                    const std::vector<EffortDelay>& alone) {
  double largest = 0.0;
  Index first = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    const auto size = std::ssize(groups[g]);
    const bool agrees =
        alone[g].inside_range && std::abs(alone[g].delay - common.delay) <
                                     kAgreement * std::hypot(alone[g].std_dev, common.std_dev);
    if (!agrees) largest = std::max(largest, common.error_ratio.segment(first, size).maxCoeff());
    first += size;
  }
  return largest;
}

// Finds the groups with a delay of their own one by one. Each round takes out the group whose delay
// differs most from the delay that would be removed from all remaining groups, because it has
// shifted that common delay.
SeparateDelays separateDelays(const EffortDelays& delays,
                              const Robot& robot,
                              const SignalPlan& plan) {
  std::vector<Together> others = groupsOf(robot);
  SeparateDelays found;
  found.largest_alone.setConstant(std::ssize(robot.drives), kInfinity);
  while (true) {
    Together channels;
    std::vector<EffortDelay> alone;
    for (const Together& group : others) {
      channels.insert(channels.end(), group.begin(), group.end());
      alone.push_back(delays.of(group));
    }
    found.common = delays.of(channels);
    found.common_removed = isWorthIt(found.common, largestRatio(found.common, others, alone), plan);
    const EffortDelay as_removed = found.common_removed ? found.common : EffortDelay();
    std::optional<std::pair<Together, EffortDelay>> furthest;
    const auto distance = [&](const EffortDelay& delay) {
      return std::abs(delay.delay - as_removed.delay);
    };
    for (size_t g = 0; g < others.size(); ++g) {
      if (alone[g].inside_range)
        found.largest_alone(others[g]).setConstant(std::abs(alone[g].delay) +
                                                   2.0 * alone[g].std_dev);
      if (isSeparate(delays, others[g], alone[g], as_removed) &&
          (!furthest || distance(alone[g]) > distance(furthest->second)))
        furthest = {others[g], std::move(alone[g])};
    }
    if (!furthest || others.size() == 1) return found;
    std::erase(others, furthest->first);
    found.separate.push_back(std::move(*furthest));
  }
}

// Adds a finding about a delay that was removed.
// @param joint  -1: the common one
void reportRemoved(const EffortDelay& found,
                   const std::string& efforts,
                   int joint,
                   LogSource& source) {
  const bool is_long = std::abs(found.delay) > kLong;
  source.addFinding({is_long ? Finding::Severity::kWarning : Finding::Severity::kRepaired,
                     "effort-delay",
                     joint,
                     fmt::format("{} {:.1f} ms {} than the motion (standard deviation {:.1f} ms); "
                                 "the delay was removed",
                                 efforts,
                                 1e3 * std::abs(found.delay),
                                 sideOf(found),
                                 1e3 * found.std_dev),
                     found.delay,
                     is_long ? "record positions and efforts at the same instant" : ""});
}

// An effort cannot precede its motion: positions were recorded late, and not those of all joints
// alike. Shifting the effort leaves the late position in the equations of the other joints.
void reportLatePosition(const EffortDelay& found,
                        double removed_from_others,
                        const std::string& efforts,
                        int joint,
                        LogSource& source) {
  if (!(found.delay < -kLong) || !(found.delay < removed_from_others - kLong)) return;
  source.addFinding(
      {Finding::Severity::kWarning,
       "position-delay",
       joint,
       fmt::format("the positions seem to be recorded at different times: {} {:.0f} ms earlier "
                   "than the motion, which a late position of this joint or of one before it "
                   "explains; the delay of the effort was removed, but not that of the position",
                   efforts,
                   -1e3 * found.delay),
       found.delay,
       "record the positions of all joints at the same instant, in one message"});
}

void reportBeyondRange(const EffortDelay& found, LogSource& source) {
  constexpr double kMuchBetter = 0.9;  // ratio of errors
  if (found.inside_range || !(found.error_ratio.array().log().mean() < std::log(kMuchBetter)))
    return;
  source.addFinding({Finding::Severity::kWarning,
                     "effort-delay-range",
                     -1,
                     fmt::format("efforts seem to be {} than the motion by more than the {:.0f} "
                                 "ms that were searched; the delay was not removed",
                                 sideOf(found),
                                 1e3 * kSearchedDelay),
                     found.delay,
                     "check that positions and efforts have time stamps of the same clock"});
}

// A delay that is not removed because the log hardly determines it.
void reportUncertain(const EffortDelay& found, LogSource& source) {
  const double possible = std::abs(found.delay) + 2.0 * found.std_dev;
  if (!found.inside_range || !(possible > kUncertain)) return;
  source.addFinding(
      {Finding::Severity::kNote,
       "effort-delay-uncertain",
       -1,
       fmt::format("the efforts may be up to {:.0f} ms late or early: {:.1f} ms found, "
                   "standard deviation {:.1f} ms; nothing was removed",
                   1e3 * possible,
                   1e3 * found.delay,
                   1e3 * found.std_dev),
       found.delay,
       "record a faster or longer motion"});
}

// Removes the delays that meet the conditions of findEffortDelays, and adds findings.
LogDelay removeDelays(const Robot& robot, const SeparateDelays& found, LogSource& source) {
  LogDelay delay{found.common.delay, found.common.std_dev, {}, {}, found.largest_alone};
  const Index actuators = std::ssize(robot.drives);
  if (!found.separate.empty()) delay.separate.setConstant(actuators, std::nan(""));
  if (found.common_removed || !found.separate.empty())
    delay.removed.setConstant(actuators, found.common_removed ? found.common.delay : 0.0);
  for (const auto& [group, single] : found.separate) {
    delay.separate(group).setConstant(single.delay);
    delay.removed(group).setConstant(single.delay);
    std::vector<std::string> names;
    for (const Index a : group) names.push_back(robot.drives[a].name);
    const std::string efforts = fmt::format("unlike other efforts, {} of {} {}",
                                            group.size() == 1 ? "that" : "those",
                                            join(names),
                                            group.size() == 1 ? "is" : "are");
    const auto joint = static_cast<int>(group.front());
    reportRemoved(single, efforts, joint, source);
    reportLatePosition(
        single, found.common_removed ? found.common.delay : 0.0, efforts, joint, source);
  }
  if (found.common_removed) {
    reportRemoved(found.common, "efforts are", -1, source);
  } else {
    reportBeyondRange(found.common, source);
    reportUncertain(found.common, source);
  }
  if (delay.removed.size() > 0) source.setEffortDelay(delay.removed);
  return delay;
}

// One fit of all channels of a log.
class JointFit {
 public:
  JointFit(const DelayMoments& moments, int threads)
      : moments_(moments), threads_(threads), without_delays_(joined({}, 0.0)) {}

  const JoinedChannels& withoutDelays() const { return without_delays_; }
  // @param held  [actuators] s; NaN: shifted with the others
  // @param reference  s, of the others: a delay changes the residuals by which rows are divided
  EffortDelays delays(const Eigen::VectorXd& held, double reference) const {
    const bool without = reference == 0.0 && held.array().isNaN().all();
    return {{without ? without_delays_.parts : joined(held, reference).parts},
            moments_.shifts,
            moments_.step,
            threads_};
  }
  EffortDelays ofSingleChannels() const {
    return {moments_.channels, moments_.shifts, moments_.step, threads_};
  }
  EffortDelay common(const Eigen::VectorXd& held) const {
    const double first = delays(held, 0.0).of(std::vector<Index>{0}).delay;
    return delays(held, first).of(std::vector<Index>{0});
  }

 private:
  JoinedChannels joined(const Eigen::VectorXd& held, double reference) const {
    return joinChannels(moments_.channels,
                        moments_.parameters,
                        moments_.shifts,
                        held / moments_.step,
                        reference / moments_.step);
  }

  const DelayMoments& moments_;
  int threads_;
  JoinedChannels without_delays_;
};

// The group alone, with the delays of all other channels held. Empty: it has none of its own.
// Rows are divided by residuals with the delay removed, so that each of the n channels adds one to
// the sum of squares. If the errors of a group of g are a quarter lower than with the delay of the
// others, that sum was n - g + g / 0.75^2.
std::optional<EffortDelay> separateInJointFit(const JointFit& fit,
                                              const Together& group,
                                              Eigen::VectorXd held,
                                              const EffortDelay& others) {
  constexpr double kLeft = (1.0 - kMinSeparateGain) * (1.0 - kMinSeparateGain);
  const auto channels = static_cast<double>(held.size());
  for (double& delay : held)
    if (std::isnan(delay)) delay = others.delay;
  held(group).setConstant(std::nan(""));
  const double first = fit.delays(held, others.delay).of(std::vector<Index>{0}).delay;
  const EffortDelays delays = fit.delays(held, first);
  EffortDelay alone = delays.of(std::vector<Index>{0});
  const double ratio = delays.errorRatio(0, alone.delay) / delays.errorRatio(0, others.delay);
  const auto size = static_cast<double>(group.size());
  const double largest = channels / (channels - size + size / kLeft);
  const bool differs = std::abs(alone.delay - others.delay) >
                       kSignificant * std::hypot(alone.std_dev, others.std_dev);
  if (!alone.inside_range || !differs || ratio * ratio > largest) return std::nullopt;
  return alone;
}

// The value of a delay that the joint fit has found. Errors of the filtered motion shift the delay
// more in the joint fit than in fits of single channels, whose parameters absorb these errors. If
// both delays agree, that of the single channels is therefore used.
EffortDelay refined(const EffortDelays& channels, const Together& group, EffortDelay joint) {
  constexpr double kAgrees = 0.25;
  EffortDelay alone = channels.of(group);
  return std::abs(alone.delay - joint.delay) < kAgrees * std::abs(joint.delay) ? std::move(alone)
                                                                               : std::move(joint);
}

// separateDelays with one fit of all channels.
SeparateDelays delaysOfJointFit(const JointFit& fit, const Robot& robot, const SignalPlan& plan) {
  // With more drives a separate delay of each would take too much time.
  constexpr Index kMostDrives = 12;
  Eigen::VectorXd held = Eigen::VectorXd::Constant(std::ssize(robot.drives), std::nan(""));
  std::vector<Together> others = groupsOf(robot);
  std::optional<EffortDelays> channels;  // empty: not needed yet
  SeparateDelays found;
  while (true) {
    found.common = fit.common(held);
    found.common_removed = isWorthIt(found.common, found.common.error_ratio.maxCoeff(), plan);
    const EffortDelay as_removed = found.common_removed ? found.common : EffortDelay();
    if (others.size() == 1 || held.size() > kMostDrives) return found;
    std::optional<std::pair<Together, EffortDelay>> furthest;
    const auto distance = [&](const EffortDelay& delay) {
      return std::abs(delay.delay - as_removed.delay);
    };
    for (const Together& group : others)
      if (std::optional<EffortDelay> alone = separateInJointFit(fit, group, held, as_removed);
          alone && (!furthest || distance(*alone) > distance(furthest->second)))
        furthest = {group, std::move(*alone)};
    if (!furthest) return found;
    std::erase(others, furthest->first);
    if (!channels) channels.emplace(fit.ofSingleChannels());
    furthest->second = refined(*channels, furthest->first, std::move(furthest->second));
    held(furthest->first).setConstant(furthest->second.delay);
    found.separate.push_back(std::move(*furthest));
  }
}

// The delays of one log. Where single channels have too few different rows, as in a few seconds of
// motion that are repeated, one fit of all channels decides: in it parameters that channels share
// are determined by all of their rows.
LogDelay delayOf(const DelayMoments& moments, const Robot& robot, int threads, LogSource& source) {
  if (enoughRows(moments)) {
    const EffortDelays channels(moments.channels, moments.shifts, moments.step, threads);
    return removeDelays(robot, separateDelays(channels, robot, source.plan()), source);
  }
  const JointFit fit(moments, threads);
  const JoinedChannels& joined = fit.withoutDelays();
  const double rows = moments.unrepeated * rowsOf(joined.parts);
  const double needed = kRowsPerColumn * static_cast<double>(joined.rank(moments.shifts));
  if (rows < needed) {
    reportNotSearched(rows, needed, source);
    return {};
  }
  return removeDelays(robot, delaysOfJointFit(fit, robot, source.plan()), source);
}

/// The effects with the plain sign of the velocity wherever it is a candidate. Smoothed signs,
/// Stribeck curves and hysteresis, which were selected while the efforts were late, imitate late
/// friction: with them alone the delay would fit as well as none.
std::vector<ActuatorEffects> withPlainSign(const Recordings& recordings,
                                           std::vector<ActuatorEffects> effects) {
  const auto is_plain = [](const Column& column) {
    return column.isFriction(FrictionEffect::kCoulomb) && !column.at_joint &&
           column.presliding == 0.0 && column.smoothing == 0.0;
  };
  const std::vector<ActuatorEffects> candidates = plainEffects(recordings);
  for (size_t a = 0; a < effects.size(); ++a) {
    std::vector<Column>& fixed = effects[a].fixed;
    const std::vector<Column>& signs = candidates[a].sign_models;
    const auto plain = std::find_if(signs.begin(), signs.end(), is_plain);
    if (plain != signs.end() && std::none_of(fixed.begin(), fixed.end(), is_plain))
      fixed.push_back(*plain);
  }
  return effects;
}

/// Logs whose motion has no noise, with filtered motion for as long as the search lasts.
class FilteredForTheSearch {
 public:
  explicit FilteredForTheSearch(const Recordings& recordings) {
    for (const OpenedLog& log : recordings.logs)
      if (log.source->plan().exact_motion) exact_.push_back(log.source);
    for (const std::shared_ptr<LogSource>& source : exact_) source->setExactMotion(false);
  }
  void restore() const {
    for (const std::shared_ptr<LogSource>& source : exact_) source->setExactMotion(true);
  }

 private:
  std::vector<std::shared_ptr<LogSource>> exact_;
};

}  // namespace

std::vector<LogDelay> findEffortDelays(const Recordings& recordings,
                                       const FrictionModel& friction,
                                       const GatherOptions& options) {
  std::vector<LogDelay> delays(recordings.logs.size());
  // Without a filter the rows are as noisy as the efforts, and false delays of whole sampling
  // periods are found.
  const FilteredForTheSearch filtered(recordings);
  const Regression regression =
      layOut(recordings, withPlainSign(recordings, friction.chosen), options);
  const std::vector<LogRows> logs = logRows(recordings, regression.payloads, options.drive_gains);
  RowBuilder builder(
      recordings.robot, regression.layout(), fixedColumns(regression), recordings.ramp_speed);
  builder.setTorqueModel(translated(friction.transmitting, regression.layout()));
  const std::vector<DelayMoments> moments =
      gatherDelayMoments(logs,
                         EquationRows(recordings.robot, std::move(builder), {}),
                         options.pass,
                         kSearchedDelay,
                         kParts,
                         [&](const std::string& log, double fraction) {
                           if (options.progress)
                             options.progress("delay of the effort, " + log, fraction);
                         });
  filtered.restore();
  for (size_t k = 0; k < delays.size(); ++k) {
    LogSource& source = *recordings.logs[k].source;
    delays[k] = delayOf(moments[k], *recordings.robot, options.pass.threads, source);
    if (const auto drift = findClockDrift(moments[k], options.pass.threads))
      source.addFinding(findingOf(*drift));
  }
  return delays;
}

}  // namespace dynid
