#include "dynid/diagnosis/mistake_text.h"

#include "dynid/core/text.h"
#include "dynid/diagnosis/position_ratio.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

// Factors nearer to 1 than this are no gear ratio.
constexpr double kSmallFactor = 0.2;

std::string orderText(const Mistake& mistake, const std::vector<std::string>& names) {
  std::vector<std::string> ordered;
  for (const int from : mistake.order) ordered.push_back(names[from]);
  return join(ordered);
}

double degrees(const Mistake& mistake) { return mistake.value * 180.0 / std::numbers::pi; }

std::string directionText(const Mistake& mistake) {
  return fmt::format("[{:.3g}, {:.3g}, {:.3g}]",
                     mistake.direction.x() + 0.0,  // no minus zero
                     mistake.direction.y() + 0.0,
                     mistake.direction.z() + 0.0);
}

// The place of a joint in the description, with NAME instead of the name if there are several
// joints.
std::string tableOf(const Mistake& mistake, const std::string& who) {
  return "[joint." + (mistake.joints.size() == 1 ? who : "NAME") + "] of the robot description";
}

/// What an import mapping says of some joints: "sign = { elbow = -1 }".
std::string setting(const char* key,
                    double value,
                    const std::vector<int>& joints,
                    const std::vector<std::string>& names) {
  if (joints.empty()) return fmt::format("{} = {:.4g}", key, value);
  std::vector<std::string> entries;
  for (const int j : joints)
    entries.push_back(fmt::format("{} = {:.4g}", tomlKey(names[j]), value));
  return fmt::format("{} = {{ {} }}", key, join(entries));
}

std::string signRemedy(const Mistake& mistake, const std::vector<std::string>& names) {
  return fmt::format(
      "set {} under [effort] (or [current]) in the import mapping; for currents the other sign of "
      "drive_gain in {} does the same (negative where it is positive or not given)",
      setting("sign", -1.0, mistake.joints, names),
      tableOf(mistake, namesOf(mistake.joints, names)));
}

std::string scaleRemedy(const Mistake& mistake, const std::vector<std::string>& names) {
  const std::string scale = setting("scale", mistake.value, mistake.joints, names);
  if (mistake.value > kSmallFactor && mistake.value < 1.0 / kSmallFactor)
    return fmt::format(
        "check unit, drive gain and gear ratio of this effort; if the factor is right, set {} "
        "under [effort] in the import mapping, or multiply drive_gain in {} by it",
        scale,
        tableOf(mistake, namesOf(mistake.joints, names)));
  return fmt::format(
      "motor-side torque: set gear_ratio for {} under [effort] in the import mapping, or {}",
      namesOf(mistake.joints, names),
      scale);
}

std::string nameOfShares(const Mistake& mistake) {
  return mistake.value == 1.0 ? "shares" : mistake.value == 100.0 ? "percent" : "thousandths";
}

std::string zeroRemedy(const Mistake& mistake, const std::string& who) {
  if (mistake.kind == Kind::kPositionStep)
    return fmt::format(
        "find the zero of {} before every recording, and do not join recordings of different "
        "zeros; "
        "of this log use one part (`to_s` {:.6g} or `from_s` {:.6g}), or correct the positions of "
        "the other",
        who,
        mistake.before_s,
        mistake.from_s);
  return fmt::format(
      "compare the zero position of {} in the URDF with the robot's; turn the joint's <origin> "
      "in the URDF by {:.0f} deg about its axis, or correct the positions",
      who,
      -degrees(mistake));
}

std::string gravityRemedy(const Mistake& mistake) {
  if (mistake.kind == Kind::kNoGravity)
    return "log the whole effort, before a controller subtracts its gravity model; gravity = [0, "
           "0, 0] in the robot description (.toml) identifies these efforts as they are, without "
           "gravity";
  return "set gravity = " + directionText(mistake) +
         " in the robot description (.toml), or mount the root link in the URDF as the robot "
         "is mounted; if that is right already, compare the zero positions of the joints with "
         "the description: a wrong one turns gravity against the links, too";
}

std::string axisRemedy(const Mistake& mistake, const std::string& who) {
  return fmt::format(
      "compare the axis of {0} with the robot: set <axis xyz=\"{1:.3g} {2:.3g} {3:.3g}\"/> of {0} "
      "in the URDF (in an MJCF the attribute axis), or correct the rotation (rpy) of its <origin>",
      who,
      mistake.direction.x() + 0.0,
      mistake.direction.y() + 0.0,
      mistake.direction.z() + 0.0);
}

std::string sideStatement(const Mistake& mistake, const std::string& who) {
  if (mistake.kind == Kind::kJointSide)
    return "the columns of " + who +
           " hold numbers of the joints behind the transmission, and not of its actuators";
  if (mistake.kind == Kind::kDriveSide)
    return "the columns of " + who +
           " hold numbers of the actuators of the transmission, and not of its joints";
  return "of " + who +
         " the positions are those of the joints, and the efforts those of the actuators of the "
         "transmission";
}

std::string sideRemedy(const Mistake& mistake) {
  const std::string place =
      " in the [[transmission]] of the robot description, and call the "
      "columns of the log (joint_names) as its ";
  if (mistake.kind == Kind::kJointSide) return "set measured = \"joint\"" + place + "joints";
  if (mistake.kind == Kind::kDriveSide) return "set measured = \"actuator\"" + place + "actuators";
  return "log the positions of the drives, with measured = \"actuator\" in the [[transmission]] of "
         "the robot description; or convert the efforts to those of the joints (the transpose of "
         "coupling_matrix times those of the drives), with measured = \"joint\"";
}

// The gear ratios of motors whose positions explain the efforts as well as degrees.
std::string otherThanDegrees(const Mistake& mistake) {
  const std::string motor = ", unless it is the position of the motor with a gear ratio ";
  const double low = mistake.lowest_ratio, high = mistake.highest_ratio;
  if (low == 0.0) return motor + "near 57";
  if (low == high) return "";
  if (low <= kSmallestPositionRatio && high >= kLargestPositionRatio) return motor + "of any size";
  if (high >= kLargestPositionRatio) return motor + fmt::format("from {:.0f} on", low);
  if (low <= kSmallestPositionRatio) return motor + fmt::format("up to {:.0f}", high);
  return motor + fmt::format("of {:.0f} to {:.0f}", low, high);
}

}  // namespace

std::string namesOf(const std::vector<int>& joints, const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < joints.size(); ++i)
    text += (i == 0 ? "" : i + 1 == joints.size() ? " and " : ", ") + names[joints[i]];
  return text.empty() ? "all joints" : text;
}

std::string timesLess(double gain) {
  constexpr double kLargest = 1e3;
  return std::exp(gain) > kLargest ? fmt::format("more than {:.0f} times less", kLargest)
                                   : fmt::format("{:.3g} times less", std::exp(gain));
}

std::string codeOf(Kind kind) {
  switch (kind) {
    case Kind::kEffortSign:
      return "effort-sign";
    case Kind::kEffortSwap:
      return "effort-swap";
    case Kind::kEffortOrder:
      return "effort-order";
    case Kind::kEffortScale:
      return "effort-scale";
    case Kind::kEffortShare:
      return "effort-percent";
    case Kind::kPositionScale:
      return "position-scale";
    case Kind::kPositionSign:
      return "position-sign";
    case Kind::kAxisSign:
      return "axis-sign";
    case Kind::kPositionZero:
      return "position-zero";
    case Kind::kPositionStep:
      return "position-zero-changes";
    case Kind::kPositionSwap:
      return "position-swap";
    case Kind::kColumnSwap:
      return "column-swap";
    case Kind::kPositionOrder:
      return "position-order";
    case Kind::kColumnOrder:
      return "column-order";
    case Kind::kGravity:
      return "gravity-direction";
    case Kind::kJointAxis:
      return "joint-axis";
    case Kind::kJointSide:
      return "joint-side";
    case Kind::kDriveSide:
      return "drive-side";
    case Kind::kMixedSides:
      return "mixed-sides";
    case Kind::kNoGravity:
      return "no-gravity";
    case Kind::kTimeScale:
      return "time-scale";
    case Kind::kEffortDelay:
      return "effort-late";
    case Kind::kPositionDelay:
      return "position-late";
    case Kind::kPositionUnit:
      return "position-unit";
  }
  return "";
}

std::string shortText(const Mistake& mistake, const std::vector<std::string>& names) {
  std::string text = codeOf(mistake.kind) + " " + namesOf(mistake.joints, names);
  if (!mistake.order.empty()) return codeOf(mistake.kind) + " " + orderText(mistake, names);
  if (mistake.kind == Kind::kPositionZero)
    return text + fmt::format(" {:.3g} deg", degrees(mistake));
  if (mistake.kind == Kind::kPositionStep)
    return text + fmt::format(" {:.2g} from {:.4g} s on", mistake.value, mistake.from_s);
  if (mistake.kind == Kind::kGravity) return codeOf(mistake.kind) + " " + directionText(mistake);
  if (mistake.kind == Kind::kJointAxis) return text + " " + directionText(mistake);
  if (mistake.kind == Kind::kNoGravity) return codeOf(mistake.kind);
  if (mistake.kind == Kind::kTimeScale)
    return codeOf(mistake.kind) + fmt::format(" x {:.3g}", mistake.value);
  if (mistake.kind == Kind::kEffortDelay || mistake.kind == Kind::kPositionDelay)
    return text + fmt::format(" {:.0f} ms", 1e3 * mistake.value);
  if (mistake.kind == Kind::kEffortScale || mistake.kind == Kind::kPositionScale ||
      mistake.kind == Kind::kPositionUnit)
    text += fmt::format(" x {:.3g}", mistake.value);
  return text;
}

std::string statementOf(const Mistake& mistake, const std::vector<std::string>& names) {
  const std::string who = namesOf(mistake.joints, names);
  switch (mistake.kind) {
    case Kind::kEffortSign:
      return "the effort of " + who + " has the opposite sign";
    case Kind::kEffortSwap:
      return "the efforts of " + who + " are exchanged";
    case Kind::kEffortOrder:
      return "the efforts are in another order than the joints: they belong to " +
             orderText(mistake, names);
    case Kind::kEffortScale:
      return fmt::format(
          "the effort of {} is {:.3g} times the joint torque", who, 1.0 / mistake.value);
    case Kind::kEffortShare:
      return "the efforts are " + nameOfShares(mistake) +
             " of the effort limits in the robot description, and not N m";
    case Kind::kPositionScale:
      return fmt::format(
          "the position of {} is {:.3g} times that of the joint", who, 1.0 / mistake.value);
    case Kind::kPositionSign:
      return "the position of " + who + " has the opposite sign";
    case Kind::kAxisSign:
      return "position and effort of " + who +
             " have the opposite sign (the axis in the robot description points the other way)";
    case Kind::kPositionZero:
      return fmt::format("the zero position of {} is off by {:.3g} deg", who, degrees(mistake));
    case Kind::kPositionStep:
      return fmt::format(
          "the zero position of {} is not the same in the whole log: from {:.6g} s on, after a gap "
          "of {:.3g} s, positions are {} by {:.2g} rad (of a slide: m)",
          who,
          mistake.from_s,
          mistake.from_s - mistake.before_s,
          mistake.value > 0.0 ? "larger" : "smaller",
          std::abs(mistake.value));
    case Kind::kPositionSwap:
      return "the positions of " + who + " are exchanged";
    case Kind::kColumnSwap:
      return "all columns of " + who + " are exchanged";
    case Kind::kPositionOrder:
      return "the positions are in another order than the joints: they belong to " +
             orderText(mistake, names);
    case Kind::kColumnOrder:
      return "all columns are in another order than the joints: they belong to " +
             orderText(mistake, names);
    case Kind::kGravity:
      return "gravity points along " + directionText(mistake) + " m/s^2 of the root link";
    case Kind::kJointAxis:
      return "the axis of " + who + " in the robot description is wrong: it is " +
             directionText(mistake) + " of the joint's frame";
    case Kind::kJointSide:
    case Kind::kDriveSide:
    case Kind::kMixedSides:
      return sideStatement(mistake, who);
    case Kind::kNoGravity:
      return "the efforts hold no gravity torque (a controller has subtracted it)";
    case Kind::kTimeScale:
      return fmt::format("the clock of the log is wrong by a factor {:.3g}", mistake.value);
    case Kind::kEffortDelay:
      return fmt::format("the efforts of {} are {:.0f} ms {} than the positions",
                         who,
                         1e3 * std::abs(mistake.value),
                         mistake.value > 0.0 ? "later" : "earlier");
    case Kind::kPositionDelay:
      return fmt::format(
          "the position of {} is {:.0f} ms {} than positions and efforts of the other joints",
          who,
          1e3 * std::abs(mistake.value),
          mistake.value > 0.0 ? "later" : "earlier");
    case Kind::kPositionUnit:
      return fmt::format("the position of {} must be multiplied by {:.4g} ({}){}",
                         who,
                         mistake.value,
                         isDegrees(mistake) ? "it is in degrees" : "it was converted twice",
                         isDegrees(mistake) ? otherThanDegrees(mistake) : "");
  }
  return "";
}

std::string remedyOf(const Mistake& mistake, const std::vector<std::string>& names) {
  const std::string who = namesOf(mistake.joints, names);
  switch (mistake.kind) {
    case Kind::kEffortSign:
      return signRemedy(mistake, names);
    case Kind::kEffortScale:
      return scaleRemedy(mistake, names);
    case Kind::kEffortShare:
      return fmt::format(
          "find the torque of every joint that the controller calls {:g}{} (rated or largest "
          "torque), and set scale of the joint under [effort] in the import mapping to this torque"
          "{}; the limits in the description may be others, which makes all masses too large or "
          "too small",
          mistake.value,
          mistake.value == 100.0 ? " %" : "",
          mistake.value == 1.0 ? "" : fmt::format(" divided by {:g}", mistake.value));
    case Kind::kEffortSwap:
    case Kind::kEffortOrder:
      return "correct the order of columns under [effort] (or [current]) in the import mapping";
    case Kind::kPositionSwap:
    case Kind::kPositionOrder:
      return "correct the order of columns under [position] (and [velocity]) in the import mapping";
    case Kind::kColumnSwap:
    case Kind::kColumnOrder:
      return "correct the list joints in the import mapping (the data set joint_names of the log)";
    case Kind::kPositionScale:
      return fmt::format(
          "check gear ratio, pulley or spindle pitch and counts per turn of this position; if the "
          "factor is right, set {} under [position] (and [velocity]) in the import mapping",
          setting("scale", mistake.value, mistake.joints, names));
    case Kind::kPositionSign:
      return "set " + setting("sign", -1.0, mistake.joints, names) +
             " under [position] (and [velocity]) in the import mapping";
    case Kind::kAxisSign:
      return "reverse the <axis> of " + who + " in the URDF, or set " +
             setting("sign", -1.0, mistake.joints, names) +
             " under [position], [velocity] and [effort] in the import mapping";
    case Kind::kPositionZero:
    case Kind::kPositionStep:
      return zeroRemedy(mistake, who);
    case Kind::kJointAxis:
      return axisRemedy(mistake, who);
    case Kind::kJointSide:
    case Kind::kDriveSide:
    case Kind::kMixedSides:
      return sideRemedy(mistake);
    case Kind::kGravity:
    case Kind::kNoGravity:
      return gravityRemedy(mistake);
    case Kind::kTimeScale:
      return "correct the unit of the time stamps or the sampling rate (sample_rate_hz)";
    case Kind::kEffortDelay:
      return "log position and effort of the same instant, with time stamps of the same clock";
    case Kind::kPositionDelay:
      return "log the positions of all joints of the same instant, with time stamps of the same "
             "clock (a filter of one encoder, or a message of its own, delays its position), or "
             "shift the column by this time before it is imported";
    case Kind::kPositionUnit:
      return isDegrees(mistake)
                 ? "degrees: set unit = \"deg\" under [position] in the import mapping (the "
                   "attribute unit of /position); positions of the motors: set gear_ratio there"
                 : "set the unit under [position] in the import mapping (the attribute unit of "
                   "/position)";
  }
  return "";
}

}  // namespace dynid
