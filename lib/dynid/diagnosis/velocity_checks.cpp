#include "dynid/diagnosis/velocity_checks.h"

#include "dynid/diagnosis/raw_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kSmallestSlope = 0.3, kLargestSlope = 3.0;
constexpr double kDegrees = 180.0 / std::numbers::pi, kDegreesOff = 0.1;
// Least correlation of velocity and d(position)/dt at which their slope shows a wrong unit or sign;
// and a wrong clock. Synchronous motions of two joints are correlated as well.
constexpr double kSameMotion = 0.9, kSameClock = 0.5;
constexpr double kClockSpread = 0.05;  // of the slopes about their median
// Velocities that were filtered differ in their slopes.
constexpr double kSameSlopes = 0.02, kClockSlightlyOff = 0.1;
constexpr double kClockOff = 0.2;             // of the median from 1
constexpr double kLeastRangeCompared = 1e-3;  // [rad or m]
// Velocity and position are compared over this time: a logger may be faster than its source.
constexpr double kSlopeInterval = 0.1;  // [s]
constexpr double kWrapOrGap = 0.5;      // [rad or m] between rows

/// A velocity against d(position)/dt: the least-squares slope and the correlation.
struct Comparison {
  double slope = std::nan(""), correlation = 0.0;
};

/// The two of one joint, averaged over kSlopeInterval; NaN where it hardly moves.
Comparison compare(std::span<const RawSignals> windows, Index j, double interval) {
  if (positionRange(windows, j).width() < kLeastRangeCompared) return {};
  const Index span = rowsIn(interval, kSlopeInterval, 2);
  double product = 0.0, derived = 0.0, logged = 0.0;
  for (const RawSignals& window : windows) {
    double path = 0.0;               // integral of the velocity since the last row that is not used
    std::vector<double> paths{0.0};  // at the rows since then
    for (Index r = 1; r < window.rows(); ++r) {
      const double step = window.time(r) - window.time(r - 1);
      const double distance = window.position(r, j) - window.position(r - 1, j);
      path += 0.5 * step * (window.velocity(r, j) + window.velocity(r - 1, j));
      if (!(step > 0.0) || !(std::abs(distance) < kWrapOrGap) || !std::isfinite(path)) {
        path = 0.0;
        paths.assign(1, 0.0);
        continue;
      }
      paths.push_back(path);
      if (std::ssize(paths) <= span) continue;
      const double time = window.time(r) - window.time(r - span);
      const double speed = (window.position(r, j) - window.position(r - span, j)) / time;
      const double v = (path - paths[paths.size() - 1 - static_cast<size_t>(span)]) / time;
      product += speed * v;
      derived += speed * speed;
      logged += v * v;
    }
  }
  if (derived <= 0.0 || logged <= 0.0) return {1.0, 0.0};
  return {product / derived, product / std::sqrt(derived * logged)};
}

/// Of every joint; empty where the log has no velocities.
std::vector<Comparison> compareAll(std::span<const RawSignals> windows) {
  std::vector<Comparison> joints;
  for (const RawSignals& window : windows)
    if (window.velocity.size() == 0) return joints;
  const double interval = medianInterval(windows);
  for (Index j = 0; !windows.empty() && j < windows.front().joints(); ++j)
    joints.push_back(compare(windows, j, interval));
  return joints;
}

bool hasFinding(std::span<const Finding> findings, const char* code, int joint) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.code == code && finding.joint == joint;
  });
}

Finding inDegrees(const std::string& name, int joint, double slope) {
  return {Finding::Severity::kRefuse,
          "raw-position-degrees",
          joint,
          fmt::format("{}: the logged velocity is {:.4g} times the derivative of the logged "
                      "position: the position is in degrees, the velocity in rad/s",
                      name,
                      slope),
          slope,
          "set unit = \"deg\" under [position] in the import mapping (the attribute unit of "
          "/position)"};
}

Finding ofAnotherScale(const std::string& name, int joint, double slope) {
  return {
      Finding::Severity::kRefuse,
      "raw-velocity",
      joint,
      fmt::format(
          "{}: the logged velocity is {:.3g} times the derivative of the position", name, slope),
      slope,
      "check unit and sign of [position] and [velocity] and the unit of [time] in the import "
      "mapping (57.3: the velocity is in degrees, set unit = \"deg/s\" under [velocity], the "
      "attribute unit of /velocity; 9.55: turns per minute; 1000: milliseconds; negative: one "
      "of the two has the other sign); without the velocity column the position alone is used"};
}

Finding wrongClock(double factor) {
  return {Finding::Severity::kRefuse,
          "raw-clock",
          -1,
          fmt::format(
              "all logged velocities are {:.3g} times the derivative of the logged positions: the "
              "clock of the log runs {:.3g} times too {}",
              factor,
              std::max(factor, 1.0 / factor),
              factor > 1.0 ? "slow" : "fast"),
          factor,
          "correct the sampling rate (sample_rate_hz) or the unit of the time stamps (of a ROS "
          "recording: publish header stamps, which a simulation sets by its own time)"};
}

/// The factor of all velocities; 1 where they differ, or some are not known (NaN).
double commonFactor(const Eigen::VectorXd& slopes) {
  if (slopes.size() < 2 || !slopes.allFinite()) return 1.0;
  Eigen::VectorXd sorted = slopes;
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted(sorted.size() / 2);
  const double spread = (slopes.array() / median - 1.0).abs().maxCoeff();
  if (spread > kClockSpread) return 1.0;
  const double least = spread < kSameSlopes ? kClockSlightlyOff : kClockOff;
  return std::abs(median - 1.0) < least ? 1.0 : median;
}

}  // namespace

std::vector<Finding> checkVelocities(const Robot& robot,
                                     std::span<const RawSignals> windows,
                                     std::span<const Finding> so_far) {
  const std::vector<Comparison> joints = compareAll(windows);
  const std::vector<std::string> names = robot.logColumnNames();
  std::vector<Finding> findings;
  Eigen::VectorXd slopes = Eigen::VectorXd::Constant(std::ssize(joints), std::nan(""));
  for (int j = 0; j < std::ssize(joints); ++j) {
    const auto [slope, correlation] = joints[j];
    if (std::abs(correlation) < kSameClock) continue;
    slopes(j) = slope / std::abs(correlation);  // a delay between the two reduces the slope
    if (slope >= kSmallestSlope && slope <= kLargestSlope) continue;
    if (std::abs(correlation) < kSameMotion) continue;
    if (std::abs(slope * kDegrees - 1.0) >= kDegreesOff || robot.joints[j].prismatic)
      findings.push_back(ofAnotherScale(names[j], j, slope));
    else if (!hasFinding(so_far, "raw-position-unit", j))
      findings.push_back(inDegrees(names[j], j, slope));
  }
  const double factor = commonFactor(slopes);
  if (factor != 1.0 && !anyRefused(so_far) && findings.empty())
    findings.push_back(wrongClock(factor));
  return findings;
}

Eigen::VectorXd velocitySlopes(std::span<const RawSignals> windows) {
  if (windows.empty()) return {};
  Eigen::VectorXd slopes = Eigen::VectorXd::Constant(windows.front().joints(), std::nan(""));
  const std::vector<Comparison> joints = compareAll(windows);
  for (Index j = 0; j < std::ssize(joints); ++j)
    if (std::abs(joints[j].correlation) > kSameMotion) slopes(j) = joints[j].slope;
  return slopes;
}

bool velocitiesAgree(std::span<const RawSignals> windows) {
  const std::vector<Comparison> joints = compareAll(windows);
  int agree = 0, differ = 0;
  for (const Comparison& joint : joints)
    if (!std::isnan(joint.slope)) {
      const bool same = std::abs(joint.correlation) > kSameMotion;
      ++(same && std::abs(joint.slope - 1.0) < kClockOff ? agree : differ);
    }
  return agree > 2 * differ;
}

}  // namespace dynid
