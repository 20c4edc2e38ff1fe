#include "dynid/diagnosis/held_efforts.h"

#include "dynid/core/text.h"
#include "dynid/diagnosis/raw_rows.h"
#include "dynid/math/quantile.h"

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

// A source that is slower than the log: most stretches have about the same number of rows, at least
// this, and the position changes at least twice as often. In no log of nine real robots is the
// median stretch longer than two rows.
constexpr Index kFewestHeldRows = 4;
constexpr double kShortestEffortHold = 0.01;  // [s]: half of it is the delay
constexpr double kSameLength = 0.2, kMostStretches = 0.8, kFewestStretches = 50.0;

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

  /// Rows per new effort where most stretches are about equally long; 0: they are not, or there is
  /// hardly a new position between two efforts.
  Index rowsPerEffort() const {
    if (std::ssize(lengths_) < kFewestStretches) return 0;
    const double typical = median(lengths_);
    const auto same = std::count_if(lengths_.begin(), lengths_.end(), [&](double rows) {
      return std::abs(rows - typical) <= std::max(1.0, kSameLength * typical);
    });
    const auto stretches = static_cast<double>(lengths_.size());
    const bool regular = static_cast<double>(same) >= kMostStretches * stretches;
    if (!regular || typical < kFewestHeldRows || new_positions_ < 2.0 * stretches) return 0;
    return static_cast<Index>(std::lround(typical));
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
        if (end > 0 && window.position(end, joint) != window.position(end - 1, joint))
          ++new_positions_;
      }
      end = std::max(end, first + 1);  // an effort that is not a number
      if (!std::isfinite(effort)) continue;
      if (high > low) lengths_.push_back(static_cast<double>(end - first));
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
  std::vector<double> lengths_;     // rows of all stretches in which the joint moves
  double new_positions_ = 0.0;      // rows with another position than the row before
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

/// @param rows  [joints] per new effort; 0: not held
Finding slowSourceFinding(const std::vector<std::string>& names,
                          const std::vector<Index>& rows,
                          double interval) {
  std::vector<std::string> slow;
  Index most = 0, joint = -1;
  for (Index j = 0; j < std::ssize(rows); ++j) {
    if (rows[j] == 0) continue;
    slow.push_back(names[j]);
    most = std::max(most, rows[j]);
    joint = j;
  }
  const double hold = interval * static_cast<double>(most);
  return {Finding::Severity::kWarning,
          "raw-effort-repeated",
          slow.size() == 1 ? static_cast<int>(joint) : -1,
          fmt::format("{}: a new effort comes every {} rows ({:.3g} ms) only, positions come more "
                      "often: the source of the efforts is slower than the log, and held efforts "
                      "are late by half of that and change in steps",
                      join(slow),
                      most,
                      1e3 * hold),
          hold,
          "log efforts as often as positions; or keep the rows with a new effort only"};
}

}  // namespace

std::vector<Finding> findHeldEfforts(const Robot& robot, std::span<const RawSignals> windows) {
  std::vector<Finding> findings;
  const std::vector<std::string> names = robot.logColumnNames();
  std::vector<Index> fine, rows_per_effort(windows.front().joints());
  bool any_zero = false;
  for (Index j = 0; j < windows.front().joints(); ++j) {
    const HeldEffort effort(windows, j);
    if (!effort.isFine()) continue;
    fine.push_back(j);
    rows_per_effort[j] = effort.rowsPerEffort();
    const std::vector<Stretch> zeros = effort.zeros();
    any_zero = any_zero || !zeros.empty();
    if (!zeros.empty())
      findings.push_back(zeroFinding(names[j], j, zeros));
    else if (const Stretch held = effort.longestHeld(); held.seconds > 0.0)
      findings.push_back(heldFinding(names[j], j, held));
  }
  const double interval = medianInterval(windows);
  for (Index& rows : rows_per_effort)
    if (!(interval * static_cast<double>(rows) >= kShortestEffortHold)) rows = 0;
  if (*std::max_element(rows_per_effort.begin(), rows_per_effort.end()) > 0)
    findings.push_back(slowSourceFinding(names, rows_per_effort, interval));
  if (const std::vector<Stretch> zeros = commonZeros(windows, fine); !any_zero && !zeros.empty())
    findings.push_back(zeroFinding("all joints", -1, zeros));
  return findings;
}

}  // namespace dynid
