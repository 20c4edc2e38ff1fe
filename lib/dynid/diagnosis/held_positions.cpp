#include "dynid/diagnosis/held_positions.h"

#include "dynid/diagnosis/raw_rows.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/local_motion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;

// [s] Shorter holds are due to lost messages, whose rows the audit leaves out (up to 0.5 s in a log
// of a real robot).
constexpr double kShortestHold = 1.0;
constexpr double kLeastAngleJump = 0.02, kLeastJump = 5e-3;  // [rad], [m]
constexpr double kJumpOverSteps = 5.0;
// Shortest hold, in median times between changes of the position. A source that is slower than the
// logger holds every value for some rows; so does a coarse encoder in slow motion.
constexpr double kHoldOverMedian = 10.0;
// [s] In a longer interval a joint may stop by its brake.
constexpr double kLongestStep = 0.02;
constexpr Index kFewestSteps = 200;
constexpr double kStopOverDifferences = 4.0;
constexpr double kOneInterval = 3.0;  // of the median interval
constexpr double kMovedShare = 0.2;   // of range and speed, by the logged velocity

/// Rows [begin, end] of a window with the same position.
struct Hold {
  const RawSignals* window = nullptr;
  Index begin = 0, end = 0;
  double seconds() const { return window->time(end) - window->time(begin); }
};

class HeldPosition {
 public:
  /// @param step  [s] median interval between rows
  HeldPosition(std::span<const RawSignals> windows, Index joint, bool prismatic, double step)
      : windows_(windows), joint_(joint), prismatic_(prismatic), step_(step) {
    for (const RawSignals& window : windows_) findHolds(window);
    const double shortest = std::max(kShortestHold, kHoldOverMedian * medianRun());
    std::erase_if(holds_, [&](const Hold& hold) { return !(hold.seconds() >= shortest); });
    for (const RawSignals& window : windows_) findSteps(window);
  }

  /// The longest hold in which the joint moves; window null: none.
  Hold longest() const {
    Hold found;
    for (const Hold& hold : holds_)
      if ((jumpAfter(hold) != 0.0 || movesByVelocity(hold) || stopsAtOnce(hold)) &&
          (found.window == nullptr || hold.seconds() > found.seconds()))
        found = hold;
    return found;
  }

  /// The jump that ends the hold [rad or m]; 0: none.
  double jumpAfter(const Hold& hold) const {
    const RawSignals& window = *hold.window;
    if (hold.end + 1 >= window.rows()) return 0.0;
    const double seconds = window.time(hold.end + 1) - window.time(hold.end);
    const double jump = change(window, hold.end + 1);
    const double least = prismatic_ ? kLeastJump : kLeastAngleJump;
    return seconds < kOneInterval * step_ && std::abs(jump) > least &&
                   std::abs(jump) > kJumpOverSteps * largest_step_
               ? jump
               : 0.0;
  }

  /// Whether the joint stops from one row to the next and stays there up to the end of the log.
  bool stopsAtOnce(const Hold& hold) const {
    const RawSignals& window = *hold.window;
    if (&window != &windows_.back() || hold.end + 1 != window.rows() || hold.begin < 2)
      return false;
    if (step_ > kLongestStep || std::ssize(steps_) < kFewestSteps) return false;
    std::vector<double> sizes, differences;
    for (size_t i = 1; i < steps_.size(); ++i) {
      sizes.push_back(std::abs(steps_[i]));
      differences.push_back(std::abs(steps_[i] - steps_[i - 1]));
    }
    const double step = std::abs(change(window, hold.begin));
    return step > kStopOverDifferences * quantile(differences, 0.995) &&
           step > quantile(sizes, 0.5);
  }

 private:
  /// Of the position at row r from the row before; whole turns are no motion.
  double change(const RawSignals& window, Index r) const {
    const double step = window.position(r, joint_) - window.position(r - 1, joint_);
    return prismatic_ ? step : std::remainder(step, 2.0 * std::numbers::pi);
  }

  void findHolds(const RawSignals& window) {
    Index begin = 0;
    for (Index r = 1; r <= window.rows(); ++r) {
      if (r < window.rows() && change(window, r) == 0.0) continue;
      const Hold hold{&window, begin, r - 1};
      if (hold.seconds() >= kShortestHold) holds_.push_back(hold);
      if (r < window.rows()) runs_.push_back(r - begin);
      begin = r;
    }
  }

  /// [s] between changes of the position
  double medianRun() {
    if (runs_.empty()) return 0.0;
    const auto middle = runs_.begin() + std::ssize(runs_) / 2;
    std::nth_element(runs_.begin(), middle, runs_.end());
    return static_cast<double>(*middle) * step_;
  }

  /// Range, largest step and speed outside the holds and their ends.
  void findSteps(const RawSignals& window) {
    const bool has_velocity = window.velocity.size() > 0;
    auto hold = std::find_if(
        holds_.begin(), holds_.end(), [&](const Hold& first) { return first.window == &window; });
    double low = std::numeric_limits<double>::infinity(), high = -low, squares = 0.0, rows = 0.0;
    for (Index r = 1; r < window.rows(); ++r) {
      const double q = window.position(r, joint_);
      if (!std::isfinite(q)) continue;
      low = std::min(low, q);
      high = std::max(high, q);
      while (hold != holds_.end() && hold->window == &window && hold->end + 1 < r) ++hold;
      const bool held = hold != holds_.end() && hold->window == &window && r >= hold->begin;
      const double step = std::abs(change(window, r));
      if (held || !std::isfinite(step)) continue;
      largest_step_ = std::max(largest_step_, step);
      steps_.push_back(change(window, r));
      if (has_velocity && std::isfinite(window.velocity(r, joint_))) {
        squares += window.velocity(r, joint_) * window.velocity(r, joint_);
        ++rows;
      }
    }
    range_ = std::max(range_, high - low);
    if (rows > 0.0) speed_ = std::max(speed_, std::sqrt(squares / rows));
  }

  bool movesByVelocity(const Hold& hold) const {
    const RawSignals& window = *hold.window;
    if (window.velocity.size() == 0 || speed_ == 0.0) return false;
    double position = 0.0, low = 0.0, high = 0.0, squares = 0.0;
    for (Index r = hold.begin + 1; r <= hold.end; ++r) {
      const double velocity = window.velocity(r, joint_);
      if (!std::isfinite(velocity)) return false;
      position += velocity * (window.time(r) - window.time(r - 1));
      low = std::min(low, position);
      high = std::max(high, position);
      squares += velocity * velocity;
    }
    const double speed = std::sqrt(squares / static_cast<double>(hold.end - hold.begin));
    const double least_speed =
        std::max(kMovedShare * speed_, leastShownSpeed(window.velocity.col(joint_)));
    return high - low > std::max(kMovedShare * range_, prismatic_ ? kLeastJump : kLeastAngleJump) &&
           speed > least_speed;
  }

  std::span<const RawSignals> windows_;
  Index joint_;
  bool prismatic_;
  double step_;
  std::vector<Hold> holds_;
  std::vector<Index> runs_;    // rows between changes of the position
  std::vector<double> steps_;  // outside the holds
  double range_ = 0.0, largest_step_ = 0.0, speed_ = 0.0;
};

}  // namespace

std::vector<Finding> findHeldPositions(const Robot& robot, std::span<const RawSignals> windows) {
  std::vector<Finding> findings;
  const std::vector<std::string> names = robot.logColumnNames();
  const double step = medianInterval(windows);
  for (Index j = 0; j < windows.front().joints(); ++j) {
    const HeldPosition position(windows, j, robot.joints[j].prismatic, step);
    const Hold hold = position.longest();
    if (hold.window == nullptr) continue;
    const char* unit = robot.joints[j].prismatic ? "m" : "rad";
    const double jump = position.jumpAfter(hold);
    findings.push_back(
        {Finding::Severity::kWarning,
         "raw-position-held",
         static_cast<int>(j),
         fmt::format("{}: the position stays at {:.4g} {} from {:.4g} s to {:.4g} s, {}",
                     names[j],
                     hold.window->position(hold.begin, j),
                     unit,
                     hold.window->time(hold.begin),
                     hold.window->time(hold.end),
                     jump != 0.0
                         ? fmt::format("and then jumps by {:.3g} {}: the joint moved", jump, unit)
                     : position.stopsAtOnce(hold)
                         ? "the end of the log, and stops there from one row to the next, as no "
                           "joint does"
                         : "while the logged velocity says that the joint moves"),
         hold.seconds(),
         "the encoder or its message was stuck: leave that part out (`from_s`, `to_s`), or record "
         "the log again"});
  }
  return findings;
}

}  // namespace dynid
