#include "dynid/diagnosis/raw_checks.h"

#include "dynid/core/text.h"
#include "dynid/diagnosis/copied_columns.h"
#include "dynid/diagnosis/held_efforts.h"
#include "dynid/diagnosis/held_positions.h"
#include "dynid/diagnosis/raw_rows.h"
#include "dynid/diagnosis/returns_from_zero.h"
#include "dynid/diagnosis/turning_points.h"
#include "dynid/diagnosis/velocity_checks.h"
#include "dynid/dynamics/projection.h"
#include "dynid/robot/plausibility.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <set>

namespace dynid {
namespace {

using Eigen::Index;
using Severity = Finding::Severity;

// Limits far outside the values of untouched logs of thirteen robots (experiments/mistakes).
constexpr double kLongestInterval = 0.2;    // [s]
constexpr double kShortestInterval = 2e-5;  // [s]
constexpr double kShortestLog = 1.0;        // [s]
constexpr double kRangeOverLimits = 5.0;    // less may be exchanged columns, which the fits name
constexpr double kMoves = 1e-3;             // [rad or m]
constexpr size_t kFewLevels = 4;
// An effort without sign returns from zero where the true one crosses it. Efforts of one sign in
// untouched logs of nine robots fall to zero at most twice; of the magnitudes of all efforts of one
// log per robot, some joint does so at least four times.
constexpr int kReturnsFromZero = 4;
constexpr double kSmoothing = 0.015;  // [s] averaged over it, noise does not reach zero
constexpr double kFarAboveLimit = 10.0, kFarBelowLimit = 0.01;
// No joint may reach this share of its limit where the efforts are called too small: in untouched
// logs one joint reaches 0.1 to 2.4 (experiments/mistakes), motor-side efforts 0.01 of it.
constexpr double kBelowLimit = 0.03;
// One effort limit for all joints, up to this one, is a placeholder that right efforts may exceed.
constexpr double kPlaceholder = 10.0;  // [N m or N]

class RawCheck {
 public:
  RawCheck(const Robot& robot, std::span<const RawSignals> windows, double duration, bool torques)
      : robot_(robot),
        names_(robot.logColumnNames()),
        windows_(windows),
        step_(medianInterval(windows)),
        duration_(duration),
        torques_(torques) {}

  std::vector<Finding> run() {
    lengths();
    interval();
    if (findings_.empty()) length();
    for (Index j = 0; j < windows_.front().joints(); ++j) {
      range(j);
      constantEffort(j);
    }
    unsignedEfforts();
    for (const auto& find : {findHeldEfforts, findCopiedColumns, findHeldPositions})
      for (Finding& finding : find(robot_, windows_)) findings_.push_back(std::move(finding));
    if (torques_) effortLimits();
    for (Finding& finding : checkVelocities(robot_, windows_, findings_))
      findings_.push_back(std::move(finding));
    return std::move(findings_);
  }

 private:
  void add(
      const std::string& code, int joint, std::string message, double value, std::string remedy) {
    findings_.push_back(
        {Severity::kRefuse, code, joint, std::move(message), value, std::move(remedy)});
  }
  const std::string& name(Index j) const { return names_[j]; }
  const Joint& joint(Index j) const { return robot_.joints[j]; }

  void lengths() {
    if (const std::optional<LengthFault> fault = lengthsInMillimetres(robot_))
      add("raw-robot-millimetres", -1, fault->message, fault->reach, fault->remedy);
  }

  void interval() {
    const double dt = step_;
    if (dt <= kLongestInterval && dt >= kShortestInterval) return;
    if (std::isnan(dt)) return;  // the audit refuses a log without a clock
    add("raw-time-unit",
        -1,
        fmt::format(
            "the median interval between samples is {:.3g} s: the time stamps are not in seconds{}",
            dt,
            dt > kLongestInterval ? ", or the log is too slow to show a motion" : ""),
        dt,
        fmt::format(
            "{}; give the unit of the time stamps ([time] unit in the import mapping, or the "
            "attribute unit of /time); import a ROS recording with `log_time`",
            dt > kLongestInterval
                ? fmt::format(
                      "milliseconds would be {:.3g} ms; record at least 20 samples per second", dt)
                : std::string("log at most 50 kHz")));
  }

  void length() {
    const int turns = turningPoints(windows_);
    const auto joints = static_cast<int>(windows_.front().joints());
    if (duration_ >= kShortestLog && turns >= joints) return;
    const bool refused = duration_ < kShortestLog || 2 * turns < joints;
    add("raw-too-short",
        -1,
        fmt::format("the log lasts {:.3g} s and holds {} turning points of {} joints: too little "
                    "motion to identify anything",
                    duration_,
                    turns,
                    joints),
        duration_,
        "record every joint going forth and back several times, at least 10 s (dynid excite "
        "designs "
        "such a motion)");
    if (!refused) findings_.back().severity = Severity::kWarning;
  }

  /// Efforts far beyond or far below what the drives can deliver.
  void effortLimits() {
    std::vector<double> ratios;
    std::set<double> limits;
    for (Index j = 0; j < windows_.front().joints(); ++j) {
      const double limit = joint(j).limits.effort;
      if (!std::isfinite(limit) || limit <= 0.0) continue;
      limits.insert(limit);
      ratios.push_back(largestEffort(j) / limit);
    }
    if (ratios.size() < 2) return;
    const bool equal = limits.size() < 2;  // of all joints: they may be placeholders
    std::sort(ratios.begin(), ratios.end());
    const double median = ratios[ratios.size() / 2];
    const bool heavy = median > kFarAboveLimit,
               light = !equal && median < kFarBelowLimit && ratios.back() < kBelowLimit;
    if (equal && !heavy) return;
    if (!heavy && !light) return singleEffortLimits();
    add("raw-effort-unit",
        -1,
        heavy ? fmt::format(
                    "the efforts of half of the joints reach {:.3g} times the effort limits of "
                    "the robot description{}",
                    median,
                    equal ? fmt::format(" ({:.4g} for all joints)", *limits.begin()) : "")
              : fmt::format("the efforts reach at most {:.3g} times the effort limits of the robot "
                            "description, those of half of the joints at most {:.3g} times",
                            ratios.back(),
                            median),
        heavy ? median : ratios.back(),
        heavy
            ? "N mm, mN or mA: set the unit under [effort] (or [current]) in the import mapping; "
              "percent or thousandths of a rated torque: set scale there; "
              "check that a gear ratio or drive_gain is not applied twice; correct the effort "
              "limits if they are placeholders"
            : "motor currents: import them as [current]; motor-side torques: set gear_ratio under "
              "[effort] in the import mapping; correct the effort limits if they are "
              "placeholders");
    if (light || (equal && *limits.begin() <= kPlaceholder))
      findings_.back().severity = Severity::kWarning;
  }

  /// Single joints whose efforts are far beyond what their drives can deliver.
  void singleEffortLimits() {
    for (Index j = 0; j < windows_.front().joints(); ++j) {
      const double limit = joint(j).limits.effort;
      if (!std::isfinite(limit) || limit <= 0.0) continue;
      const double ratio = largestEffort(j) / limit;
      if (ratio < kFarAboveLimit) continue;
      add("raw-effort-limit",
          static_cast<int>(j),
          fmt::format("{}: the effort reaches {:.3g} times the effort limit of the robot "
                      "description",
                      name(j),
                      ratio),
          ratio,
          "check the unit, gear ratio and drive_gain of the effort of this joint, or correct the "
          "limit");
      findings_.back().severity = Severity::kWarning;
    }
  }

  double largestEffort(Index j) const {
    double largest = 0.0;
    for (const RawSignals& window : windows_)
      for (const double effort : window.effort.col(j))
        if (std::isfinite(effort)) largest = std::max(largest, std::abs(effort));
    return largest;
  }

  PositionRange positions(Index j) const { return positionRange(windows_, j); }

  /// Whether the positions of a column lie within the limits of a joint, but for a twentieth.
  bool fits(Index column, Index of_joint) const {
    const JointLimits& limits = joint(of_joint).limits;
    const double beyond = 0.05 * (limits.upper - limits.lower);
    const PositionRange range = positions(column);
    return range.low >= limits.lower - beyond && range.high <= limits.upper + beyond;
  }

  /// Turning joints whose positions may have been exchanged with those of a sliding one.
  std::vector<std::string> exchangeable(Index slide) const {
    std::vector<std::string> names;
    for (Index j = 0; j < std::ssize(robot_.joints); ++j)
      if (!joint(j).prismatic && positions(j).width() > 0.0 && fits(j, slide) && fits(slide, j))
        names.push_back(name(j));
    return names;
  }

  double furthestFromZero(Index j) const {
    double furthest = 0.0;
    for (const RawSignals& window : windows_)
      for (const double q : window.position.col(j))
        if (std::isfinite(q)) furthest = std::max(furthest, std::abs(q));
    return furthest;
  }

  void range(Index j) {
    if (robot_.measured_at_actuator[j]) return;
    if (joint(j).prismatic) return slideRange(j);
    const double width = positions(j).width(), furthest = furthestFromZero(j);
    if (furthest > kLargestJointAngle && width < kLargestJointAngle)
      add("raw-position-turns",
          static_cast<int>(j),
          fmt::format("{}: the position reaches {:.4g} rad; angles are used up to {:.0g} rad",
                      name(j),
                      furthest,
                      kLargestJointAngle),
          furthest,
          "subtract the same whole turns (multiples of 2 pi) from all positions of the joint, and "
          "check their unit");
    const JointLimits& limits = joint(j).limits;
    const double allowed = limits.upper - limits.lower;
    const bool wide = width > kWidestAngle && !joint(j).continuous;
    const bool beyond = std::isfinite(allowed) && allowed > 0.0 && !joint(j).continuous &&
                        width > kRangeOverLimits * std::max(allowed, 1.0);
    if (!wide && !beyond) return;
    add("raw-position-unit",
        static_cast<int>(j),
        fmt::format("{}: the position covers {:.4g} rad{}",
                    name(j),
                    width,
                    std::isfinite(allowed)
                        ? fmt::format(", the limits of the joint allow {:.3g} rad", allowed)
                        : std::string()),
        width,
        "degrees: set unit = \"deg\" under [position] in the import mapping; position of the "
        "motor: set gear_ratio there");
  }

  void slideRange(Index j) {
    const double width = positions(j).width(),
                 allowed = joint(j).limits.upper - joint(j).limits.lower;
    if (!std::isfinite(allowed) || allowed <= 0.0 || width <= kRangeOverLimits * allowed) return;
    const std::vector<std::string> others = exchangeable(j);
    add("raw-position-unit",
        static_cast<int>(j),
        fmt::format("{}: the position covers {:.4g} m, the limits of the joint allow {:.3g} m",
                    name(j),
                    width,
                    allowed),
        width,
        "millimetres: set unit = \"mm\" under [position] in the import mapping; turns of a "
        "spindle: set gear_ratio there" +
            (others.empty() ? std::string()
                            : fmt::format("; columns exchanged with those of {} (the positions of "
                                          "each lie within the limits of the other): correct the "
                                          "order of the joints there",
                                          join(others, " or "))));
  }

  void constantEffort(Index j) {
    std::set<double> levels;
    double low = kInfinity, high = -kInfinity;
    for (const RawSignals& window : windows_)
      for (Index r = 0; r < window.rows(); ++r) {
        if (!std::isfinite(window.effort(r, j)) || !std::isfinite(window.position(r, j))) continue;
        if (levels.size() < kFewLevels) levels.insert(window.effort(r, j));
        low = std::min(low, window.position(r, j));
        high = std::max(high, window.position(r, j));
      }
    if (levels.size() >= kFewLevels || high - low < kMoves) return;
    add("raw-effort-constant",
        static_cast<int>(j),
        fmt::format("{}: the joint moves by {:.3g} {}, but its effort takes {} value{} only",
                    name(j),
                    high - low,
                    joint(j).prismatic ? "m" : "rad",
                    levels.size(),
                    levels.size() == 1 ? "" : "s"),
        static_cast<double>(levels.size()),
        fmt::format(
            "check the effort column of this joint; if it is not measured, hold the joint fixed "
            "and leave it out with `exclude_joints` {}",
            name(j)));
  }

  void unsignedEfforts() {
    std::vector<std::string> names;
    int joint = -1, most = 0;
    for (Index j = 0; j < windows_.front().joints(); ++j) {
      const int returns = returnsFromZero(windows_, j, rowsIn(step_, kSmoothing, 1));
      if (returns < kReturnsFromZero) continue;
      joint = names.empty() ? static_cast<int>(j) : -1;
      names.push_back(name(j));
      most = std::max(most, returns);
    }
    if (names.empty()) return;
    add("raw-effort-unsigned",
        joint,
        fmt::format("{}: the effort falls to zero {}{} times and never changes its sign: it seems "
                    "to be the magnitude, without the sign",
                    join(names),
                    names.size() == 1 ? "" : "up to ",
                    most),
        most,
        "log the effort (or current) with its sign; a magnitude cannot be corrected afterwards");
  }

  const Robot& robot_;
  std::vector<std::string> names_;
  std::span<const RawSignals> windows_;
  double step_;  // [s] median interval between rows
  double duration_;
  bool torques_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> checkRawLog(const Robot& robot,
                                 std::span<const RawSignals> windows,
                                 double duration_s,
                                 bool torques) {
  if (windows.empty() || windows.front().effort.size() == 0) return {};
  return RawCheck(robot, windows, duration_s, torques).run();
}

}  // namespace dynid
