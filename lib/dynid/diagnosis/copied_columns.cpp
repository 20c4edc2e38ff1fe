#include "dynid/diagnosis/copied_columns.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace dynid {
namespace {

using Eigen::Index;
using Channel = Eigen::MatrixXd RawSignals::*;

constexpr double kSameSignal = 1e-9;  // 1 - r^2
constexpr double kConstant = 1e-6;    // standard deviation over root mean square
constexpr Index kFewestRowsToCompare = 20;

/// Sums of two columns over the rows in which both are finite, about the first such row.
class ColumnPair {
 public:
  ColumnPair(std::span<const RawSignals> windows, Channel a, Index i, Channel b, Index j) {
    for (const RawSignals& window : windows) {
      if ((window.*a).size() == 0 || (window.*b).size() == 0) continue;
      for (Index r = 0; r < window.rows(); ++r) add((window.*a)(r, i), (window.*b)(r, j));
    }
  }

  bool areOneSignal() const {
    if (rows_ < kFewestRowsToCompare) return false;
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

  double rows_ = 0.0, first_a_ = 0.0, first_b_ = 0.0;
  double a_ = 0.0, b_ = 0.0, aa_ = 0.0, bb_ = 0.0, ab_ = 0.0;
  bool equal_ = true;
};

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
  const auto one = [&](Channel a, Index i, Channel b, Index j) {
    return ColumnPair(windows, a, i, b, j).areOneSignal();
  };
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (j > i && one(&RawSignals::effort, i, &RawSignals::effort, j))
        findings.push_back(copied(fmt::format("the effort columns of {} and {} hold the same values"
                                              " (up to a factor)",
                                              names[i],
                                              names[j]),
                                  j));
      for (const auto& [what, channel] : {std::pair{"position", &RawSignals::position},
                                          std::pair{"velocity", &RawSignals::velocity}})
        if (one(&RawSignals::effort, i, channel, j))
          findings.push_back(copied(fmt::format("the effort column of {} holds the {} of {} (up to "
                                                "a factor)",
                                                names[i],
                                                what,
                                                names[j]),
                                    i));
      if (j <= i) continue;
      const ColumnPair positions(windows, &RawSignals::position, i, &RawSignals::position, j);
      if (!positions.areEqual() || !positions.areOneSignal()) continue;
      findings.push_back(copied(
          fmt::format("the positions of {} and {} are equal in every row", names[i], names[j]), j));
      findings.back().severity = Finding::Severity::kWarning;
    }
  }
  return findings;
}

}  // namespace dynid
