#include "dynid/diagnosis/held_efforts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <string>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kLeastMotion = 1e-3;  // [rad or m]
// A coarse effort may stay at one level while the joint moves: up to a quarter of a log with 10
// levels (TIAGo's wrist), 1 % of one with more than 100 levels.
constexpr size_t kFineLevels = 100;
constexpr double kHeldShare = 0.1;                       // of the log
constexpr double kHeldRange = 0.3;                       // of what the joint covers
constexpr double kShortestZero = 0.1, kLeastZero = 0.3;  // [s] one stretch, and all
constexpr double kLeastZeroShare = 5e-3;                 // of the log
constexpr double kZeroRange = 0.02;                      // of what the joint covers
constexpr double kZeroOverOthers = 3.0;                  // of the longest stretch at another level

// Rows in which the efforts of all joints are 0 are no measurement, however short the stretch.
constexpr Index kFewestZeroRows = 10;
constexpr size_t kFewestFineJoints = 2;

/// Rows with the same effort.
struct Stretch {
  double effort = 0.0;
  double from = 0.0, seconds = 0.0;
  double range = 0.0;  ///< largest minus smallest position [rad or m]
};

/// The stretches of one joint.
class HeldEffort {
 public:
  HeldEffort(std::span<const RawSignals> windows, Index joint) {
    double low = kInf, high = -kInf;
    for (const RawSignals& window : windows) {
      if (window.rows() > 0) duration_ += window.time(window.rows() - 1) - window.time(0);
      for (const double q : window.position.col(joint))
        if (std::isfinite(q)) {
          low = std::min(low, q);
          high = std::max(high, q);
        }
      addStretches(window, joint);
    }
    covered_ = high - low;
  }

  bool isFine() const { return levels_.size() >= kFineLevels; }

  /// The longest stretch at a level inside the range of the efforts; of 0 s if none is held.
  Stretch longestHeld() const {
    const double least = std::max(kHeldRange * covered_, kLeastMotion);
    const Stretch held =
        longest([&](const Stretch& s) { return s.range >= least && !isClipped(s); });
    return held.seconds >= kHeldShare * duration_ ? held : Stretch{};
  }

  /// The stretches without an effort, in their order; none if they are as short as others.
  std::vector<Stretch> zeros() const {
    const double other =
        longest([&](const Stretch& s) { return s.effort != 0.0 && s.range > 0.0; }).seconds;
    const double least_range = std::max(kZeroRange * covered_, kLeastMotion);
    const double shortest = std::max(kShortestZero, kZeroOverOthers * other);
    std::vector<Stretch> found;
    double seconds = 0.0;
    for (const Stretch& stretch : stretches_) {
      if (stretch.effort != 0.0 || stretch.range < least_range || stretch.seconds < shortest)
        continue;
      found.push_back(stretch);
      seconds += stretch.seconds;
    }
    if (seconds < std::max(kLeastZero, kLeastZeroShare * duration_)) return {};
    return found;
  }

 private:
  void addStretches(const RawSignals& window, Index joint) {
    for (Index first = 0, end = 0; first < window.rows(); first = end) {
      const double effort = window.effort(first, joint);
      double low = kInf, high = -kInf;
      for (end = first; end < window.rows() && window.effort(end, joint) == effort; ++end) {
        low = std::min(low, window.position(end, joint));
        high = std::max(high, window.position(end, joint));
      }
      end = std::max(end, first + 1);  // an effort that is not a number
      if (!std::isfinite(effort)) continue;
      if (levels_.size() < kFineLevels) levels_.insert(effort);
      smallest_ = std::min(smallest_, effort);
      largest_ = std::max(largest_, effort);
      const double seconds = window.time(end - 1) - window.time(first);
      if (seconds > 0.0) stretches_.push_back({effort, window.time(first), seconds, high - low});
    }
  }

  bool isClipped(const Stretch& stretch) const {
    return stretch.effort == smallest_ || stretch.effort == largest_;
  }

  template <typename Predicate>
  Stretch longest(Predicate counts) const {
    Stretch longest;
    for (const Stretch& stretch : stretches_)
      if (counts(stretch) && stretch.seconds > longest.seconds) longest = stretch;
    return longest;
  }

  std::vector<Stretch> stretches_;  // of two rows or more
  std::set<double> levels_;         // not more than kFineLevels of them
  double smallest_ = kInf, largest_ = -kInf;
  double covered_ = 0.0, duration_ = 0.0;
};

/// Stretches in which the efforts of these joints are all 0 while one of them moves.
std::vector<Stretch> commonZeros(std::span<const RawSignals> windows,
                                 const std::vector<Index>& joints) {
  std::vector<Stretch> found;
  if (joints.size() < kFewestFineJoints) return found;
  for (const RawSignals& window : windows) {
    const auto is_zero = [&](Index row) {
      return std::all_of(
          joints.begin(), joints.end(), [&](Index j) { return window.effort(row, j) == 0.0; });
    };
    for (Index first = 0, end = 0; first < window.rows(); first = end + 1) {
      for (end = first; end < window.rows() && is_zero(end);) ++end;
      if (end - first < kFewestZeroRows) continue;
      double range = 0.0;
      for (const Index j : joints) {
        const auto position = window.position.col(j).segment(first, end - first);
        range = std::max(range, position.maxCoeff() - position.minCoeff());
      }
      if (range >= kLeastMotion)
        found.push_back(
            {0.0, window.time(first), window.time(end - 1) - window.time(first), range});
    }
  }
  return found;
}

/// @param joint  -1: all joints
Finding zeroFinding(const std::string& name, Index joint, const std::vector<Stretch>& zeros) {
  double seconds = 0.0;
  for (const Stretch& stretch : zeros) seconds += stretch.seconds;
  return {
      Finding::Severity::kWarning,
      "raw-effort-zero",
      static_cast<int>(joint),
      fmt::format("{}: the effort is exactly 0 for {:.3g} s {} {:.6g} s on, and the joint moves "
                  "in that time: the sensor or the logger sent no values, or the drives were off "
                  "(emergency stop, brakes)",
                  name,
                  seconds,
                  zeros.size() == 1 ? std::string("from")
                                    : fmt::format("in {} stretches, the first from", zeros.size()),
                  zeros.front().from),
      seconds,
      "set these efforts to NaN, which leaves their rows out, or leave that part out "
      "(`from_s`, `to_s`)"};
}

Finding heldFinding(const std::string& name, Index joint, const Stretch& held) {
  return {Finding::Severity::kWarning,
          "raw-effort-held",
          static_cast<int>(joint),
          fmt::format("{}: the effort stays at {:.4g} for {:.3g} s from {:.6g} s on, though the "
                      "joint moves: the drive or the logger sent no new values",
                      name,
                      held.effort,
                      held.seconds,
                      held.from),
          held.seconds,
          "leave that part out (`from_s`, `to_s`) or repair the source of the effort"};
}

}  // namespace

std::vector<Finding> findHeldEfforts(const Robot& robot, std::span<const RawSignals> windows) {
  std::vector<Finding> findings;
  const std::vector<std::string> names = robot.logColumnNames();
  std::vector<Index> fine;
  bool any_zero = false;
  for (Index j = 0; j < windows.front().joints(); ++j) {
    const HeldEffort effort(windows, j);
    if (!effort.isFine()) continue;
    fine.push_back(j);
    const std::vector<Stretch> zeros = effort.zeros();
    any_zero = any_zero || !zeros.empty();
    if (!zeros.empty())
      findings.push_back(zeroFinding(names[j], j, zeros));
    else if (const Stretch held = effort.longestHeld(); held.seconds > 0.0)
      findings.push_back(heldFinding(names[j], j, held));
  }
  if (const std::vector<Stretch> zeros = commonZeros(windows, fine); !any_zero && !zeros.empty())
    findings.push_back(zeroFinding("all joints", -1, zeros));
  return findings;
}

}  // namespace dynid
