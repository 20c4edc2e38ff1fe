#include "dynid/signals/held_rows.h"

#include "dynid/signals/local_motion.h"

#include <algorithm>
#include <array>

namespace dynid {

using Eigen::Index;

namespace {
constexpr double kSeveralSteps = 25.0;

/// Whether the robot moves right before and right behind the rows [first, end), which equal the row
/// before them: the steps on both sides are not much smaller than the second smallest of four steps
/// farther away (rows beside lost ones are farther apart). Around a rest they are the last step of
/// a braking and the first of a starting robot.
bool movesAround(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                 const Eigen::Ref<const Eigen::VectorXd>& resolution,
                 Index first,
                 Index end) {
  constexpr double kShare = 0.25;
  const auto step = [&](Index row) {  // to this row, in encoder steps
    if (row < 1 || row >= Q.rows()) return 0.0;
    return (Q.row(row) - Q.row(row - 1)).transpose().cwiseQuotient(resolution).norm();
  };
  const auto goes_on = [&](Index row, Index direction) {
    std::array<double, 4> farther{};
    for (Index i = 0; i < std::ssize(farther); ++i) farther[i] = step(row + (i + 1) * direction);
    std::nth_element(farther.begin(), farther.begin() + 1, farther.end());
    return step(row) > kShare * farther[1];
  };
  return goes_on(end, 1) && goes_on(first - 1, -1);
}

}  // namespace

std::vector<bool> heldRows(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                           const Eigen::Ref<const Eigen::VectorXd>& resolution,
                           HoldStatistics* statistics) {
  const Index n = Q.rows();
  std::vector<bool> held(n, false);
  const Eigen::VectorXd steps = motionInformation(chordSlopes(Q, kLongestHold), resolution);
  if (statistics != nullptr) statistics->moving += (steps.array() > kSeveralSteps).count();
  for (Index k = 1; k < n;) {
    Index end = k;
    bool moving = true;
    while (end < n && Q.row(end) == Q.row(end - 1)) {
      moving = moving && steps(end) > kSeveralSteps;
      ++end;
    }
    if (end > k && end - k <= kLongestHold && moving && movesAround(Q, resolution, k, end)) {
      for (Index i = k; i < end; ++i) held[i] = true;
      if (statistics != nullptr) statistics->held += end - k;
    }
    k = end + 1;
  }
  return held;
}

}  // namespace dynid
