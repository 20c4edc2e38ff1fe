#include "dynid/diagnosis/copied_columns.h"

#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace dynid {
namespace {

using Eigen::Index;
using Channel = Eigen::MatrixXd RawSignals::*;

constexpr double kSameSignal = 1e-9;  // 1 - r^2
constexpr double kConstant = 1e-6;    // standard deviation over root mean square
constexpr Index kFewestRowsToCompare = 20;

/// Sums of one column over its finite rows, after subtraction of the first finite value.
struct ColumnSums {
  double rows = 0.0, first = 0.0, sum = 0.0, squares = 0.0;

  void add(double value) {
    if (!std::isfinite(value)) return;
    if (rows == 0.0) first = value;
    ++rows;
    sum += value - first;
    squares += (value - first) * (value - first);
  }
  /// Sum of squares about the mean.
  double spread() const { return rows > 0.0 ? squares - sum * sum / rows : 0.0; }
};

/// Sums of two columns over the rows in which both are finite, after subtraction of the first such
/// row. The summation stops as soon as the columns are shown to be different signals, for most
/// pairs after a few rows.
class ColumnPair {
 public:
  /// @param b_spread  of all rows of column b
  ColumnPair(std::span<const RawSignals> windows,
             Channel a,
             Index i,
             Channel b,
             Index j,
             double b_spread) {
    constexpr Index kRowsBetweenChecks = 64;
    for (const RawSignals& window : windows) {
      if ((window.*a).size() == 0 || (window.*b).size() == 0) continue;
      for (Index r = 0; r < window.rows(); ++r) {
        add((window.*a)(r, i), (window.*b)(r, j));
        // The part of b that a does not explain cannot decrease with more rows.
        differ_ = r % kRowsBetweenChecks == 0 && unexplained() > 2.0 * kSameSignal * b_spread;
        if (differ_) return;
      }
    }
  }

  bool areOneSignal() const {
    if (differ_ || rows_ < kFewestRowsToCompare) return false;
    const double aa = aa_ - a_ * a_ / rows_, bb = bb_ - b_ * b_ / rows_, ab = ab_ - a_ * b_ / rows_;
    if (aa <= kConstant * kConstant * (aa_ + rows_ * first_a_ * first_a_)) return false;
    if (bb <= kConstant * kConstant * (bb_ + rows_ * first_b_ * first_b_)) return false;
    return aa * bb - ab * ab < kSameSignal * aa * bb;
  }
  bool areEqual() const { return equal_; }

 private:
  void add(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    if (rows_ == 0) {
      first_a_ = a;
      first_b_ = b;
    }
    equal_ = equal_ && a == b;
    a -= first_a_;
    b -= first_b_;
    ++rows_;
    a_ += a;
    b_ += b;
    aa_ += a * a;
    bb_ += b * b;
    ab_ += a * b;
  }

  /// The part of the sum of squares of b about its mean that a multiple of a plus a constant does
  /// not explain.
  double unexplained() const {
    const double aa = aa_ - a_ * a_ / rows_, bb = bb_ - b_ * b_ / rows_, ab = ab_ - a_ * b_ / rows_;
    return aa > 0.0 ? bb - ab * ab / aa : bb;
  }

  double rows_ = 0.0, first_a_ = 0.0, first_b_ = 0.0;
  double a_ = 0.0, b_ = 0.0, aa_ = 0.0, bb_ = 0.0, ab_ = 0.0;
  bool equal_ = true;  ///< in the rows that were added
  bool differ_ = false;
};

/// Linear regression of an effort on another signal of its joint.
struct Likeness {
  double slope = 0.0, r_squared = 0.0;
  bool moves = false;
};

Likeness likeness(std::span<const RawSignals> windows, Channel signal, Index joint) {
  constexpr double kStill = 0.01;  // standard deviation of the signal, rad or rad/s, m or m/s
  double rows = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
  for (const RawSignals& window : windows) {
    if ((window.*signal).size() == 0 || window.effort.size() == 0) continue;
    for (Index r = 0; r < window.rows(); ++r) {
      const double a = (window.*signal)(r, joint), b = window.effort(r, joint);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      ++rows;
      x += a;
      y += b;
      xx += a * a;
      yy += b * b;
      xy += a * b;
    }
  }
  if (rows < kFewestRowsToCompare) return {};
  const double sxx = xx - x * x / rows, syy = yy - y * y / rows, sxy = xy - x * y / rows;
  if (sxx < kStill * kStill * rows || !(syy > 0.0)) return {};
  return {sxy / sxx, sxy * sxy / (sxx * syy), true};
}

/// Whether the efforts are commands of the signal: for every joint that moves, the effort follows
/// the signal closely and with a slope near one, because a command has the unit of the signal. A
/// single joint may have such an effort by chance.
bool effortsCommand(std::span<const RawSignals> windows, Channel signal) {
  constexpr int kFewestJoints = 3;
  int joints = 0;
  for (Index j = 0; j < windows.front().joints(); ++j) {
    const Likeness like = likeness(windows, signal, j);
    if (!like.moves) continue;
    if (like.r_squared < 0.9 || std::abs(like.slope - 1.0) > 0.1) return false;
    ++joints;
  }
  return joints >= kFewestJoints;
}

Finding commanded(const char* what) {
  return {Finding::Severity::kRefuse,
          "raw-copied-column",
          -1,
          fmt::format("the efforts of all joints are their {} within a few percent: they are "
                      "commands of {}, not efforts",
                      what,
                      what),
          1.0,
          "log the measured efforts or currents; a driver that fills the effort with commands says "
          "nothing about the dynamics"};
}

Eigen::VectorXd spreads(std::span<const RawSignals> windows, Channel channel) {
  Eigen::VectorXd spread = Eigen::VectorXd::Zero(windows.front().joints());
  for (Index j = 0; j < spread.size(); ++j) {
    ColumnSums sums;
    for (const RawSignals& window : windows)
      if ((window.*channel).size() > 0)
        for (const double value : (window.*channel).col(j)) sums.add(value);
    spread(j) = sums.spread();
  }
  return spread;
}

Finding copied(const std::string& message, Index joint) {
  return {Finding::Severity::kRefuse,
          "raw-copied-column",
          static_cast<int>(joint),
          message,
          1.0,
          "one column was copied, or named twice in the import mapping: check which column of the "
          "source each of them comes from; if the source has no other, leave the joint out "
          "(`exclude_joints`)"};
}

}  // namespace

std::vector<Finding> findCopiedColumns(const Robot& robot, std::span<const RawSignals> windows) {
  std::vector<Finding> findings;
  const std::vector<std::string> names = robot.logColumnNames();
  const Index n = windows.front().joints();
  const Eigen::VectorXd effort = spreads(windows, &RawSignals::effort);
  const Eigen::VectorXd position = spreads(windows, &RawSignals::position);
  const Eigen::VectorXd velocity = spreads(windows, &RawSignals::velocity);
  const auto effort_is = [&](Index i, Channel other, Index j, const Eigen::VectorXd& spread) {
    return ColumnPair(windows, &RawSignals::effort, i, other, j, spread(j)).areOneSignal();
  };
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (j > i && effort_is(i, &RawSignals::effort, j, effort))
        findings.push_back(copied(fmt::format("the effort columns of {} and {} hold the same values"
                                              " (up to a factor)",
                                              names[i],
                                              names[j]),
                                  j));
      for (const auto& [what, channel, spread] :
           {std::tuple{"position", &RawSignals::position, &position},
            std::tuple{"velocity", &RawSignals::velocity, &velocity}})
        if (effort_is(i, channel, j, *spread))
          findings.push_back(copied(fmt::format("the effort column of {} holds the {} of {} (up to "
                                                "a factor)",
                                                names[i],
                                                what,
                                                names[j]),
                                    i));
      if (j <= i) continue;
      const ColumnPair positions(
          windows, &RawSignals::position, i, &RawSignals::position, j, position(j));
      if (!positions.areEqual() || !positions.areOneSignal()) continue;
      findings.push_back(copied(
          fmt::format("the positions of {} and {} are equal in every row", names[i], names[j]), j));
      findings.back().severity = Finding::Severity::kWarning;
    }
  }
  if (!findings.empty()) return findings;
  if (effortsCommand(windows, &RawSignals::velocity)) findings.push_back(commanded("velocities"));
  if (effortsCommand(windows, &RawSignals::position)) findings.push_back(commanded("positions"));
  return findings;
}

}  // namespace dynid
