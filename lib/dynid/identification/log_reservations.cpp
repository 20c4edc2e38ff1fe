#include "dynid/identification/log_reservations.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/friction_resistance.h"
#include "dynid/identification/mass_reservations.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

// Differences between logs in standard deviations: up to 2.1 on real robots with the same payload,
// 50 where one of two logs holds an undeclared payload of a tenth of the robot's mass.
constexpr double kContradictoryLogs = 10.0;
// Of one joint: efforts by which one fit misses the logs' own fits, of the measured efforts and of
// the error of these fits. Pairs of training logs of real robots reach 0.15 and 1.4, simulated ones
// whose dry friction differs by 1.4 times 0.11 and 9; an undeclared payload in one of two simulated
// logs 0.74 and 15.
constexpr double kLargestApart = 0.35, kApartOverResidual = 2.0;
// The same, whatever the parameters: twenty pairs of right logs of real robots reach 0.3 and 2.2
// (KR300, MTM, PSM, LWA3, Panda, TX40, UR10e and xMate7 Pro; a TIAGo that is far apart by its
// noise 0.47 and 0.9), pairs of simulated ones 0.005 and 0.4. In one of two simulated logs, the
// effort of a joint times 1.3 reaches 0.1 to 0.12 and 4 to 5, a zero that is off by 10 degrees
// 0.083 to 0.094 and 3.2 to 8.
constexpr double kClearlyApart = 0.06, kClearlyOverResidual = 3.0;
// A single parameter of the links or drives, where the efforts differ as well: training logs of
// real robots reach 5.4 and 1.4 times the error of their own fits. One of three simulated logs is
// of a robot with arms that are 10 % longer: it reaches 23 to 40 and 4.8, the others 12 and 1.2.
constexpr double kContradictoryLink = 15.0, kSlightlyApart = 0.015;
// The largest difference of a parameter between the halves of a log, in standard deviations: up to
// 4.3 in thirteen logs of eight real robots, from 10 where the sign of an effort changes, 35 to 240
// where a brake drags or a payload is carried in one half (experiments/mistakes).
constexpr double kDifferentHalves = 8.0;
// Halves whose parameters differ need other efforts as well: one fit misses the halves' own fits by
// more than kLargestApart, or by this share of the effort of a joint and this many times the error
// of these fits. Right logs in which other joints move, or rest, in each half reach 0.19 and 1.5; a
// payload in one half at least 0.056 and 2.8, another sign 0.9.
constexpr double kLeastApart = 0.03, kHalvesOverResidual = 2.0;
// Differences of other parameters over the largest of friction, in standard deviations, up to which
// friction alone has changed. Simulated logs with 1.5 times the friction reach 0; efforts in
// another unit 0.26 if of one joint, 0.58 if of all; payloads more than 2.
constexpr double kOthersOverFriction = 0.2;
// Cross-validated error over the noise floor, under several assumptions about a log. Logs with two
// or three mistakes reach 1.1, those of another robot of the same joint names 2.5 and 4; a right
// log of a robot with friction of another kind 2.9, but with the described masses.
constexpr double kErrorOfAssumptions = 2.0;

/// The joint whose efforts the logs' own fits predict most differently from one fit of all of them;
/// -1: no joint beyond the limits.
Eigen::Index jointApart(const Model& model,
                        const LogComparison& comparison,
                        double least,
                        double over_residual) {
  Eigen::Index furthest = -1;
  const std::ptrdiff_t joints =
      std::min(std::ssize(comparison.apart), std::ssize(model.robot->drives));
  for (Eigen::Index j = 0; j < joints; ++j)
    if (comparison.apart[j] > least &&
        comparison.apart[j] > over_residual * comparison.residual[j] &&
        (furthest < 0 || comparison.apart[j] > comparison.apart[furthest]))
      furthest = j;
  return furthest;
}

Eigen::Index jointFarApart(const Model& model, const LogComparison& comparison) {
  return jointApart(model, comparison, kLargestApart, kApartOverResidual);
}

Eigen::Index jointClearlyApart(const Model& model, const LogComparison& comparison) {
  return jointApart(model, comparison, kClearlyApart, kClearlyOverResidual);
}

bool hasOtherLinks(const Model& model, const LogComparison& comparison) {
  if (!comparison.differs) return false;
  if (jointApart(model, comparison, kSlightlyApart, kApartOverResidual) < 0) return false;
  return std::any_of(comparison.largest.begin(), comparison.largest.end(), [&](const auto& p) {
    const int c = model.layout.find(p.name);
    return p.deviations > kContradictoryLink && c >= 0 && !model.layout[c].isFriction();
  });
}

bool isFrictionInMotion(const Column& column) {
  return isDissipative(column) || column.dependsOnTransmittedTorque();
}

/// Drives or joints whose friction explains the difference; empty: other parameters differ too.
std::vector<std::string> changedFriction(const Model& model, const LogComparison& comparison) {
  std::vector<std::string> names;
  double of_friction = 0.0, of_others = 0.0;
  for (const ParameterComparison& parameter : comparison.largest) {
    const int c = model.layout.find(parameter.name);
    if (c < 0 || !isFrictionInMotion(model.layout[c])) {
      of_others = std::max(of_others, parameter.deviations);
      continue;
    }
    of_friction = std::max(of_friction, parameter.deviations);
    const Column& column = model.layout[c];
    const std::string& name = column.at_joint ? model.robot->joints[column.owner].name
                                              : model.robot->drives[column.owner].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return of_others <= kOthersOverFriction * of_friction ? names : std::vector<std::string>();
}

/// What may have caused the difference, and what to do.
std::string causeOfDifference(const Model& model, const LogComparison& comparison) {
  const std::vector<std::string> names = changedFriction(model, comparison);
  if (names.empty())
    return "another payload, zero position or unit in one of them; declare the payload, or "
           "identify the logs apart";
  return fmt::format(
      "friction has changed (temperature, wear){}; record the logs with the robot warm, or "
      "identify them apart",
      names.size() == 1 ? fmt::format(", or the unit of the effort of {}", names.front()) : "");
}

std::string contradiction(const Model& model, const LogComparison& comparison) {
  std::vector<std::string> names;
  for (const ParameterComparison& parameter : comparison.largest)
    if (names.size() < 3) names.push_back(parameter.name);
  const Eigen::Index far = jointFarApart(model, comparison);
  const Eigen::Index joint = far >= 0 ? far : jointClearlyApart(model, comparison);
  std::vector<std::string> evidence;
  if (comparison.differs)
    evidence.push_back(fmt::format("differences {:.0f} times their standard deviation, most in {}",
                                   comparison.ratio,
                                   join(names)));
  if (joint >= 0)
    evidence.push_back(fmt::format(
        "one fit of all logs misses their own fits by {:.0f} % of the effort of {}, {:.1f} times "
        "what these leave",
        100.0 * comparison.apart[joint],
        model.robot->drives[joint].name,
        comparison.apart[joint] / comparison.residual[joint]));
  return fmt::format("{} ({}): {}",
                     model.fit.log_agreement.size() == 1
                         ? "the two logs contradict each other"
                         : comparison.log + " contradicts the other logs",
                     join(evidence, "; "),
                     causeOfDifference(model, comparison));
}

/// Whether the halves of a log need other efforts, not only other parameters; true where that is
/// not known.
bool needOtherEfforts(const LogComparison& halves) {
  for (size_t j = 0; j < halves.apart.size(); ++j)
    if (halves.apart[j] > kLargestApart ||
        (halves.apart[j] > kLeastApart &&
         halves.apart[j] > kHalvesOverResidual * halves.residual[j]))
      return true;
  return halves.apart.empty();
}

/// A log whose halves have different parameters.
void addHalvesReservation(const Model& model, std::vector<std::string>& found) {
  if (!model.fit.halves || !model.fit.halves->differs) return;
  if (!needOtherEfforts(*model.fit.halves)) return;
  std::vector<std::string> names;
  for (const ParameterComparison& p : model.fit.halves->largest)
    if (names.size() < 3 && p.deviations > kDifferentHalves)
      names.push_back(fmt::format("{} ({:.3g} against {:.3g}, {:.0f} standard deviations)",
                                  p.name,
                                  p.value,
                                  p.other_value,
                                  p.deviations));
  if (names.empty()) return;
  const double split = model.fit.halves->split;
  const std::string parts = split == 0.0 || split == 0.5
                                ? "the two halves of " + model.fit.halves->log
                                : fmt::format("the first {} of {} and the rest",
                                              split < 0.5 ? "quarter" : "three quarters",
                                              model.fit.halves->log);
  found.push_back(fmt::format(
      "{} differ by more than real logs do, most in {}: a payload, brake, sign, unit or friction "
      "has changed in between; identify the parts apart (`from_s`, `to_s`)",
      parts,
      join(names)));
}

// A log that counts twice makes standard deviations too small. Parts of a log that do not overlap
// count once.
void addRepeatedLogs(const Model& model, std::vector<std::string>& found) {
  std::vector<const LogRecord*> logs;
  for (const LogRecord& log : model.provenance.logs) logs.push_back(&log);
  while (!logs.empty()) {
    const LogRecord& first = *logs.front();
    std::vector<std::string> files;
    std::erase_if(logs, [&](const LogRecord* log) {
      const bool repeats = log == &first || shareRows(first, *log);
      if (repeats) files.push_back(log->file);
      return repeats;
    });
    if (files.size() > 1)
      found.push_back(fmt::format(
          "{} hold rows of the same log, which count {} times: standard deviations are too small; "
          "give them once (statistics contain their logs)",
          join(files),
          files.size()));
  }
}

// Several assumptions together may make the log of another robot fit.
void addAssumedRobot(const Model& model, std::vector<std::string>& found) {
  size_t assumed = 0;
  for (const LogRecord& log : model.provenance.logs)
    assumed = std::max(assumed, log.assumptions.texts.size());
  if (assumed < 2 || !model.scale_known || model.parameters.size() == 0) return;
  const double times = model.fit.cross_validated_error / model.fit.noise_floor;
  if (!(times > kErrorOfAssumptions)) return;
  const std::vector<std::string> links = linksUnlikeDescribed(model);
  if (links.empty()) return;
  found.push_back(
      fmt::format("under {} assumptions about a log the error is still {:.1f} times the noise "
                  "floor, and masses are far from the description ({}): the log may be of another "
                  "robot; check that it is of this one and that each assumption is true",
                  assumed,
                  times,
                  join(links)));
}

}  // namespace

std::vector<std::string> contradictoryLogs(const Model& model, bool all) {
  std::vector<std::string> found;
  for (const LogComparison& comparison : model.fit.log_agreement) {
    const bool far = comparison.differs && comparison.ratio > kContradictoryLogs;
    const bool contradicts =
        all ? far || jointClearlyApart(model, comparison) >= 0 || hasOtherLinks(model, comparison)
            : far && jointFarApart(model, comparison) >= 0;
    if (contradicts) found.push_back(contradiction(model, comparison));
  }
  return found;
}

std::vector<std::string> logReservations(const Model& model) {
  std::vector<std::string> found;
  addRepeatedLogs(model, found);
  addAssumedRobot(model, found);
  addHalvesReservation(model, found);
  const std::vector<std::string> contradictions = contradictoryLogs(model, true);
  found.insert(found.end(), contradictions.begin(), contradictions.end());
  return found;
}

}  // namespace dynid
