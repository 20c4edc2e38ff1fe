#include "dynid/identification/usability.h"

#include "dynid/core/few_words.h"
#include "dynid/core/text.h"
#include "dynid/diagnosis/uniform_rods.h"
#include "dynid/identification/effort_reservations.h"
#include "dynid/identification/excitation_reservations.h"
#include "dynid/identification/gain_reservations.h"
#include "dynid/identification/log_reservations.h"
#include "dynid/identification/mass_reservations.h"
#include "dynid/identification/physics_reservations.h"
#include "dynid/identification/positions_outside.h"
#include "dynid/identification/sensor_reservations.h"
#include "dynid/identification/slow_motion.h"
#include "dynid/identification/unexplained_efforts.h"
#include "dynid/model/assumption_clause.h"
#include "dynid/model/error_limits.h"
#include "dynid/robot/plausibility.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dynid {
namespace {

// Thirteen real arms have fitted masses of 0.11 to 4.5 times those of uniform rods with the same
// gravity torques (experiments/mistakes).
constexpr double kMassOverRods = 25.0;
constexpr double kRelevantMass = 0.05;  // of the total
constexpr double kDriveOverRods = 20.0;
// Squared error over that of unconstrained least squares from which the bounds contradict the logs.
// Real and simulated logs with bounds that are right reach 1.7.
constexpr double kContradiction = 4.0;
// The relative error matters there from 0.1 on. In logs with little noise, as of a large crane, a
// smaller one does: from three times the noise floor, not below 0.02.
constexpr double kErrorOfContradiction = 0.1, kQuietError = 0.02, kErrorOverFloor = 3.0;
// Of one joint: a real joint (roll of a da Vinci PSM) reaches 4.1 with bounds of its description.
constexpr double kContradictionOfJoint = 9.0;

// The drives that `holds` is not true of.
template <typename Predicate>
std::vector<std::string> drivesWithout(const Model& model, Predicate holds) {
  std::vector<std::string> names;
  for (Eigen::Index j = 0; j < std::ssize(model.fit.per_joint); ++j)
    if (!holds(model.fit.per_joint[j])) names.push_back(model.robot->drives[j].name);
  return names;
}

std::vector<std::string> unexplainedJoints(const Model& model) {
  return drivesWithout(model, [](const ChannelFit& channel) {
    return !movesInLogs(channel) || isIdentified(channel);
  });
}

std::vector<std::string> activeBounds(const PhysicalFitResult& fit) {
  std::vector<std::string> active;
  for (const BoundReport& bound : fit.bounds)
    if (bound.active) active.push_back(bound.name);
  return active;
}

/// The bound of the description that is named as the reason of a channel's price; "" for others.
std::string boundBehindPrice(const ChannelFit& channel) {
  constexpr std::string_view kNamed = "the bound \"";  // the program's own bounds have no quotes
  if (!channel.price_reason.starts_with(kNamed)) return "";
  return channel.price_reason.substr(kNamed.size(),
                                     channel.price_reason.size() - kNamed.size() - 1);
}

bool exceedsNoise(double error, double noise_floor) {
  const double limit =
      std::isfinite(noise_floor)
          ? std::clamp(kErrorOverFloor * noise_floor, kQuietError, kErrorOfContradiction)
          : kErrorOfContradiction;
  return error > limit;
}

/// The larger of the error of the fit and of the headline error beyond the noise floor (NaN where
/// it is not known): a joint that is wrong for part of the log shows in the second only. Where a
/// joint does not move, the first alone: no model explains the friction at standstill.
double unexplainedShare(const Model& model) {
  const FitSummary& fit = model.fit;
  const double beyond_floor = std::pow(fit.cross_validated_error, 2) - std::pow(fit.noise_floor, 2);
  return beyond_floor > 0.0 && drivesWithout(model, movesInLogs).empty()
             ? std::max(fit.relative_error, std::sqrt(beyond_floor))
             : fit.relative_error;
}

// Reports bounds of the description that raise the error of single joints, whose share in the
// weighted objective may be small. Only errors caused by such bounds are reported: without them, a
// raised error means that the efforts of the joint are not those of rigid bodies (axis A5 of the
// KUKA KR300: error four times as large).
void judgeBoundsPerJoint(const Model& model, std::vector<std::string>& reasons) {
  std::vector<std::string> bounds, joints;
  for (Eigen::Index j = 0; j < std::ssize(model.fit.per_joint); ++j) {
    const ChannelFit& channel = model.fit.per_joint[j];
    const std::string bound = boundBehindPrice(channel);
    if (bound.empty() || !exceedsNoise(channel.relative_error, channel.noise_floor) ||
        !(std::pow(1.0 + channel.price_of_physics, 2) > kContradictionOfJoint))
      continue;
    joints.push_back(model.robot->drives[j].name);
    if (std::find(bounds.begin(), bounds.end(), bound) == bounds.end()) bounds.push_back(bound);
  }
  if (!joints.empty())
    reasons.push_back(
        fmt::format("the bounds contradict the logs: physical consistency with {} at least triples "
                    "the error of {}; check masses, bounds and stated payloads, units and signs",
                    join(bounds),
                    join(joints)));
}

void judgeFit(const Model& model, std::vector<std::string>& reasons) {
  if (const double unexplained = unexplainedShare(model); unexplained > kLargestError)
    reasons.push_back(fmt::format(
        "the fit leaves {:.0f} % of the efforts unexplained: {}",
        100.0 * unexplained,
        causeOfError(
            model,
            "the log belongs to another robot; units, signs or columns are wrong; a part "
            "of a log is (dynid inspect with the log and the robot shows which); or joints "
            "touched an end stop or something else")));
  const std::vector<std::string> still = drivesWithout(model, movesInLogs);
  const std::vector<std::string> weak = unexplainedJoints(model);
  const std::size_t joints = model.fit.per_joint.size();
  if (2 * still.size() > joints)
    reasons.push_back(fmt::format(
        "{} of {} joints do not move: {}; add logs that move them, or exclude them (they are then "
        "held fixed)",
        still.size(),
        joints,
        join(still)));
  else if (2 * (weak.size() + still.size()) > joints)
    reasons.push_back(
        fmt::format("{} of {} joints are not identified (cross-validated R2 below {}, or relative "
                    "error above {:.0f} %): {}; record a motion that moves them (dynid excite)",
                    weak.size(),
                    joints,
                    kNotIdentifiedR2,
                    100.0 * kLargestJointError,
                    join(weak)));
  const std::vector<std::string> contradictions = contradictoryLogs(model, !reasons.empty());
  reasons.insert(reasons.begin(), contradictions.begin(), contradictions.end());
  const double price = model.consistency.objective_optimal / model.fit.objective_unconstrained;
  const std::vector<std::string> active = activeBounds(model.consistency);
  if (price > kContradiction && exceedsNoise(model.fit.relative_error, model.fit.noise_floor))
    reasons.push_back(fmt::format(
        "{} the logs: with {} the squared error is {:.0f} times that of the best fit; check "
        "masses, bounds and stated payloads, units and signs",
        active.empty() ? "physically possible bodies contradict" : "the bounds contradict",
        active.empty() ? std::string("physical consistency")
                       : "physical consistency and active bounds (" + join(active) + ")",
        price));
  else
    judgeBoundsPerJoint(model, reasons);
}

void judgeMass(const Model& model, std::vector<std::string>& reasons) {
  const Robot& robot = *model.robot;
  const int bodies = robot.numBodies();
  const double mass = sumOfMasses(model.parameters, bodies);
  const double rods = sumOfMasses(uniformRods(robot), bodies);
  const double prior = robot.priorMass();
  // Uniform rods are no estimate for robots with loops, or for a small tree whose last link has no
  // length in the description. Masses are also plausible if they agree with the description.
  const bool rods_tell = robot.loops.empty() && bodies >= 4;
  if (rods_tell && !isAsDescribed(mass, prior) && mass > kMassOverRods * rods)
    reasons.push_back(
        fmt::format("the moving links weigh {:.3g} kg together, {:.0f} times what rods of the size "
                    "of this robot would; check the unit of the efforts (N mm, mA) and gear ratios",
                    mass,
                    mass / rods));
  // A small tree may be heavier than the distances of its joint origins suggest, but not
  // kMassOverRods times heavier than both its prior and the rods.
  if (robot.loops.empty() && !rods_tell && mass > kMassOverRods * std::max(prior, rods))
    reasons.push_back(fmt::format(
        "the moving links weigh {:.3g} kg together, the description states {:.3g} kg; check the "
        "unit of the efforts (N mm, mA) and gear ratios",
        mass,
        prior));
  if (!rods_tell) return;
  const double largest = largestCentreDistance(robot);
  for (int b = 0; b < bodies; ++b) {
    const CenterOfMassInertia body = centerOfMassInertia(model.body(b));
    if (body.mass < kRelevantMass * mass || body.com.norm() < largest) continue;
    reasons.push_back(fmt::format(
        "the centre of mass of {} ({:.3g} kg) lies {:.3g} m from its joint, the robot is {:.3g} m "
        "long; give bounds for the link ([link.{}] com_box) or a richer motion",
        robot.bodies[b].name,
        body.mass,
        body.com.norm(),
        reachOf(robot),
        robot.bodies[b].name));
  }
}

// Largest plausible drive inertia for a robot of this size [kg m^2 or kg]; infinite if uniform rods
// are no estimate.
double largestDriveInertia(const Robot& robot) {
  if (!robot.loops.empty() || robot.numBodies() < 4) return kInfinity;
  const double reach = reachOf(robot);
  return kDriveOverRods * sumOfMasses(uniformRods(robot), robot.numBodies()) * reach * reach;
}

// "" if the drive inertia of this actuator is plausible, or unknown because it does not move.
std::string driveComplaint(const Model& model, int actuator) {
  const Robot& robot = *model.robot;
  const std::vector<ChannelFit>& channels = model.fit.per_joint;  // none: a description
  if (actuator < std::ssize(channels) && !movesInLogs(channels[actuator])) return "";
  const double limit = largestDriveInertia(robot);
  for (int c = 0; c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    if (column.kind != ColumnKind::kDriveInertia || column.owner != actuator) continue;
    if (robot.joints[column.owner].prismatic || !(model.parameters(c) > limit)) continue;
    return fmt::format(
        "the drive inertia of {} is {:.3g} kg m^2, a whole robot of this size has about {:.3g}; "
        "check the time stamps, the unit of the positions and of the efforts",
        robot.drives[actuator].name,
        model.parameters(c),
        limit / kDriveOverRods);
  }
  return "";
}

void judgeDrives(const Model& model, std::vector<std::string>& reasons) {
  for (int a = 0; a < model.robot->numJoints(); ++a)
    if (const std::string complaint = driveComplaint(model, a); !complaint.empty())
      reasons.push_back(complaint);
}

void addUnexplainedJoints(const Model& model, std::vector<std::string>& found) {
  const std::vector<std::string> weak = unexplainedJoints(model);
  if (weak.empty()) return;
  found.push_back(
      fmt::format("not identifiable from these logs: the effort of {} (cross-validated R2 below "
                  "{}, or relative error above {:.0f} %)",
                  join(weak),
                  kNotIdentifiedR2,
                  100.0 * kLargestJointError));
}

// Single joints that a small error of all joints together would hide.
void addJointErrors(const Model& model, std::vector<std::string>& found) {
  constexpr double kMostlyNoise = 0.5;  // of the effort, of which some passes the low-pass
  std::vector<std::string> joints;
  for (Eigen::Index j = 0; j < std::ssize(model.fit.per_joint); ++j) {
    const ChannelFit& channel = model.fit.per_joint[j];
    if (movesInLogs(channel) && isIdentified(channel) && channel.relative_error > kDoubtfulError &&
        !(channel.noise_floor > kMostlyNoise))
      joints.push_back(fmt::format(
          "{} ({:.0f} %)", model.robot->drives[j].name, 100.0 * channel.relative_error));
  }
  if (!joints.empty())
    found.push_back(fmt::format(
        "the fit leaves more than {:.0f} % of the filtered effort of single joints unexplained: "
        "{}; friction or play of another kind, a wrong gain or unit of that joint, or a mistake in "
        "part of a log (dynid inspect with the log and the robot)",
        100.0 * kDoubtfulError,
        join(joints)));
}

void addErrorReservation(const Model& model, std::vector<std::string>& found) {
  const double unexplained = unexplainedShare(model);
  if (!(unexplained > kDoubtfulError) || unexplained > kLargestError) return;
  found.push_back(
      fmt::format("the fit leaves {:.0f} % of the efforts unexplained, which is much: dynid "
                  "validate fails logs with more than {:.0f} %; {}",
                  100.0 * unexplained,
                  100.0 * kDoubtfulError,
                  causeOfError(model,
                               "friction or play of another kind, or a mistake in part of a log "
                               "(dynid inspect with the log and the robot)")));
}

// Warnings of the audit that the error of the fit need not show: efforts at a limit, which the fit
// takes for the true effort, efforts with spikes or a slow source, and positions that jump.
void addWarningsOfLogs(const std::vector<std::vector<Finding>>& audits,
                       const std::string& code,
                       std::vector<std::string>& found) {
  std::vector<std::string> messages, remedies;
  const auto add = [](const std::string& text, std::vector<std::string>& texts) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  };
  for (const std::vector<Finding>& findings : audits)
    for (const Finding& finding : findings)
      if (finding.code == code && finding.severity == Finding::Severity::kWarning) {
        add(finding.message, messages);
        add(finding.remedy, remedies);
      }
  if (!messages.empty()) found.push_back(join(messages, "; ") + "; " + join(remedies, "; "));
}

// Codes of warnings that explain others and come first: a wrong unit of the efforts or direction of
// gravity changes masses. Coarse positions are judged by the fit.
std::vector<std::string> explainingCodes(const std::vector<std::vector<Finding>>& audits) {
  std::vector<std::string> codes{"raw-effort-unit", "raw-effort-limit"};
  for (const std::vector<Finding>& findings : audits)
    for (const Finding& finding : findings)
      if (finding.code.starts_with("diagnosis-") && finding.code != "diagnosis-position-coarse" &&
          std::find(codes.begin(), codes.end(), finding.code) == codes.end())
        codes.push_back(finding.code);
  codes.insert(
      codes.end(),
      {"held-joint-moves", "held-joint-elsewhere", "base-moves", "base-twist", "position-delay"});
  return codes;
}

// Efforts that are later than the search for delays reaches: every parameter of the fit is wrong.
void judgeDelays(const std::vector<std::vector<Finding>>& audits,
                 std::vector<std::string>& reasons) {
  for (const std::vector<Finding>& findings : audits)
    for (const Finding& finding : findings)
      if (finding.code == "effort-delay-range")
        reasons.push_back(finding.message + "; " + finding.remedy);
}

// Whether the diagnosis of a log warns of the unit of its efforts.
bool doubtfulUnit(const std::vector<Diagnosis>& diagnoses) {
  for (const Diagnosis& diagnosis : diagnoses)
    for (const Finding& finding : diagnosis.findings)
      if (finding.code == "raw-effort-unit" || finding.code == "diagnosis-effort-unit") return true;
  return false;
}

// Spikes in an effort are part of its noise floor. Where they are most of a large error, the log
// does not show whether the model is right there; nine real robots have no joint with spikes.
void judgeSpikes(const Model& model,
                 const std::vector<std::vector<Finding>>& audits,
                 std::vector<JointStatus>& joints) {
  for (const std::vector<Finding>& findings : audits)
    for (const Finding& finding : findings) {
      const int j = finding.joint;
      if (finding.code != "effort-spikes" || j < 0 || j >= std::ssize(joints)) continue;
      const ChannelFit& channel = model.fit.per_joint[j];
      if (!(channel.cross_validated_error > kLargestError)) continue;
      joints[j].usable = false;
      joints[j].reasons.push_back(
          fmt::format("{}: with them the error is {:.0f} % (at most {:.0f} % where an effort has "
                      "spikes), so that these logs do not show whether the model is right; {}",
                      finding.message,
                      100.0 * channel.cross_validated_error,
                      100.0 * kLargestError,
                      finding.remedy));
    }
}

}  // namespace

bool isIdentified(const ChannelFit& channel) {
  return !(channel.cross_validated_r2 < kNotIdentifiedR2) &&
         !(channel.relative_error > kLargestJointError);
}

std::vector<std::string> implausibilities(const Model& model) {
  std::vector<std::string> reasons;
  judgeFit(model, reasons);
  if (!model.scale_known || model.parameters.size() == 0)
    return reasons;  // without a common scale masses cannot be judged
  judgeMass(model, reasons);
  judgeDrives(model, reasons);
  return reasons;
}

std::vector<JointStatus> jointStatuses(const Model& model) {
  std::vector<JointStatus> joints(model.fit.per_joint.size());
  for (Eigen::Index j = 0; j < std::ssize(joints); ++j) {
    const ChannelFit& channel = model.fit.per_joint[j];
    if (!movesInLogs(channel))
      joints[j].reasons.push_back(fmt::format(
          "it moves in {:.0f} of the samples used: its friction and drive inertia are "
          "unknown; add a log that moves it, or exclude the joint (it is then held fixed)",
          channel.samples));
    else if (!isIdentified(channel))
      joints[j].reasons.push_back(fmt::format(
          "the logs do not explain its effort (cross-validated R2 {:.2g}, at least {} is needed; "
          "relative error {:.0f} %, at most {:.0f} %): {}check that its columns hold this joint{}",
          channel.cross_validated_r2,
          kNotIdentifiedR2,
          100.0 * channel.relative_error,
          100.0 * kLargestJointError,
          isClear(channel)
              ? ""
              : "record a motion that loads it (dynid excite), or its effort in finer steps; ",
          isClear(channel) ? ", and that the description has the springs and counterweights that "
                             "act on it (position_effects in [joint.NAME])"
                           : ""));
    if (model.scale_known && model.parameters.size() > 0)
      if (const std::string complaint = driveComplaint(model, static_cast<int>(j));
          !complaint.empty())
        joints[j].reasons.push_back(complaint);
    joints[j].usable = joints[j].reasons.empty();
  }
  return joints;
}

std::vector<std::string> reservations(const Model& model,
                                      const std::vector<Diagnosis>& diagnoses,
                                      const std::vector<DoubtfulGain>& gains,
                                      const Eigen::VectorXd& friction) {
  std::vector<std::string> found;
  if (!model.scale_known)
    found.emplace_back(
        "no drive gain is known: ratios between joints come from the shared parameters, the "
        "common scale is unobservable; link parameters carry one unknown factor and errors are in "
        "A (a log with a known load, or one drive_gain, fixes the scale)");
  for (std::string& text : gainReservations(model, gains)) found.push_back(std::move(text));
  for (std::string& text : excitationReservations(model, diagnoses))
    found.push_back(std::move(text));
  addUnexplainedJoints(model, found);
  for (std::string& text : physicsReservations(model)) found.push_back(std::move(text));
  const std::vector<std::string> masses = massReservations(model, doubtfulUnit(diagnoses));
  found.insert(found.end(), masses.begin(), masses.end());
  addErrorReservation(model, found);
  addJointErrors(model, found);
  for (std::string& text : effortReservations(model, friction)) found.push_back(std::move(text));
  for (std::string& text : doubtfulSensors(model)) found.push_back(std::move(text));
  for (std::string& text : logReservations(model)) found.push_back(std::move(text));
  return found;
}

std::vector<std::string> assumptionsBehind(const Model& model) {
  std::vector<std::string> found;
  const std::vector<LogRecord>& logs = model.provenance.logs;
  const bool of_all = std::all_of(logs.begin(), logs.end(), [&](const LogRecord& log) {
    return log.assumptions.texts == logs.front().assumptions.texts;
  });
  for (const LogRecord& log : logs) {
    for (const std::string& text : log.assumptions.texts)
      found.push_back(of_all ? text : fmt::format("{} in {}", text, log.file));
    if (of_all) break;
  }
  return found;
}

ModelStatus judgedStatus(const Model& model,
                         const std::vector<std::vector<Finding>>& audits,
                         const std::vector<Diagnosis>& diagnoses,
                         const std::vector<DoubtfulGain>& gains,
                         const Eigen::VectorXd& friction) {
  ModelStatus status;
  if (!model.status.usable) status.reasons.push_back(model.status.reason);
  for (const std::vector<Finding>& findings : audits)
    for (const Finding& finding : findings)
      if (finding.severity == Finding::Severity::kRefuse)
        status.reasons.push_back("identified by force from a log that is refused: " +
                                 finding.message);
  const std::vector<std::string> numbers = implausibilities(model);
  for (std::string& text : massesOfAnotherUnit(model, doubtfulUnit(diagnoses)))
    status.reasons.push_back(std::move(text));
  judgeDelays(audits, status.reasons);
  const std::optional<PositionsOutside> outside = positionsOutside(model, audits);
  if (outside && outside->of_most_joints) status.reasons.push_back(outside->text);
  for (std::string& text : wrongSensors(model)) status.reasons.push_back(std::move(text));
  status.reasons.insert(status.reasons.end(), numbers.begin(), numbers.end());
  for (std::string& text : unexplainedEfforts(model, diagnoses))
    status.reasons.push_back(std::move(text));
  status.usable = status.reasons.empty();
  if (!status.usable) {  // known faults of the logs first
    std::vector<std::string> faults;
    for (const char* code : {"position-jump", "raw-effort-zero", "effort-clipped"})
      addWarningsOfLogs(audits, code, faults);
    status.reasons.insert(status.reasons.begin(), faults.begin(), faults.end());
  }
  for (const std::string& code : explainingCodes(audits))
    addWarningsOfLogs(audits, code, status.reservations);
  if (outside && !outside->of_most_joints) status.reservations.push_back(outside->text);
  for (std::string& text : reservations(model, diagnoses, gains, friction))
    status.reservations.push_back(std::move(text));
  for (const char* code : {"effort-clipped",
                           "effort-spikes",
                           "effort-drift",
                           "clock-drift",
                           "residual-burst",
                           "position-jump",
                           "raw-effort-zero",
                           "raw-effort-repeated",
                           "raw-position-held"})
    addWarningsOfLogs(audits, code, status.reservations);
  if (std::string text = slowMotion(model, audits); !text.empty())
    status.reservations.push_back(std::move(text));
  status.assumptions = assumptionsBehind(model);
  std::vector<std::string> limits = status.usable ? status.reservations : status.reasons;
  if (!status.assumptions.empty())
    limits.insert(limits.begin(), assumptionClause(status.assumptions));
  status.reason = join(limits, "; ");
  status.joints = jointStatuses(model);
  judgeSpikes(model, audits, status.joints);
  return status;
}

}  // namespace dynid
