#include "dynid/diagnosis/raw_mistakes.h"

#include "dynid/diagnosis/raw_checks.h"
#include "dynid/diagnosis/uniform_rods.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

constexpr const char* kPositionUnitCode = "raw-position-unit";
constexpr double kBeyondLimits = 1.05;
// Less than a factor of 1000 apart, so that at most one unit of time fits.
constexpr double kShortestUsual = 2e-4, kLongestUsual = 0.05;  // [s]
// A thousandth is plausible if it brings the ratio of the efforts to their limits, or to the weight
// of uniform rods, into this range.
constexpr double kSmallestRatio = 0.01, kLargestRatio = 25.0;

std::vector<Mistake> timeUnit(double interval) {
  for (const double factor : {1e-3, 1e-6, 1e-9})
    if (interval * factor >= kShortestUsual && interval * factor <= kLongestUsual)
      return {{Kind::kTimeScale, {}, factor}};
  return {};
}

std::vector<Mistake> thousandths(double ratio) {
  if (ratio * 1e-3 < kSmallestRatio || ratio * 1e-3 > kLargestRatio) return {};
  return {{Kind::kEffortScale, {}, 1e-3}};
}

/// The unit of efforts whose gravity torques are `slope` times those of uniform rods: N cm where
/// this brings the masses near those of the description, otherwise N mm or mA.
std::vector<Mistake> effortUnit(double slope, const Robot& robot) {
  constexpr double kPerHundred = 2.5;  // ratio of the masses
  if (std::abs(std::log(0.01 * slope * massOfUniformRods(robot) / robot.priorMass())) <
      std::log(kPerHundred))
    return {{Kind::kEffortScale, {}, 1e-2}};
  return thousandths(slope);
}

bool fitsInDegrees(const Finding& finding, const Robot& robot) {
  const JointLimits& limits = robot.joints[finding.joint].limits;
  const double allowed = limits.upper - limits.lower;
  return finding.value * kDegree <=
         (std::isfinite(allowed) && allowed > 0.0 ? kBeyondLimits * allowed : kWidestAngle);
}

/// Degrees, if no joint then covers more than it can.
std::vector<Mistake> usualDegrees(std::span<const Finding> findings, const Robot& robot) {
  for (const Finding& finding : findings)
    if (finding.code == kPositionUnitCode && !fitsInDegrees(finding, robot)) return {};
  const std::optional<Mistake> degrees = degreesBehind(findings, robot);
  return degrees ? std::vector{*degrees} : std::vector<Mistake>{};
}

}  // namespace

std::optional<Mistake> degreesBehind(std::span<const Finding> findings, const Robot& robot) {
  Mistake mistake{Kind::kPositionUnit, {}, kDegree};
  for (const Finding& finding : findings) {
    if (finding.code != kPositionUnitCode) continue;
    if (robot.joints[finding.joint].prismatic) return std::nullopt;
    mistake.joints.push_back(finding.joint);
  }
  if (mistake.joints.empty()) return std::nullopt;
  // Positions of coupled drives are not compared with limits.
  int compared = 0;
  for (int j = 0; j < robot.numJoints(); ++j)
    compared +=
        !robot.joints[j].prismatic && !(robot.isCoupled(j) && robot.measured_at_actuator[j]);
  if (2 * std::ssize(mistake.joints) > compared) mistake.joints.clear();
  return mistake;
}

std::vector<Mistake> mistakesBehind(std::span<const Finding> findings, const Robot& robot) {
  for (const Finding& finding : findings) {
    if (finding.severity != Finding::Severity::kRefuse) continue;
    if (finding.code == "raw-time-unit") return timeUnit(finding.value);
    if (finding.code == "raw-clock") return {{Kind::kTimeScale, {}, 1.0 / finding.value}};
    if (finding.code == kPositionUnitCode) return usualDegrees(findings, robot);
    if (finding.code == "raw-effort-unit") return thousandths(finding.value);
    if (finding.code == "diagnosis-effort-unit") return effortUnit(finding.value, robot);
  }
  return {};
}

}  // namespace dynid
