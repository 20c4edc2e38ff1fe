#include "dynid/signals/held_rows.h"

#include "dynid/signals/local_motion.h"

#include <algorithm>
#include <array>

namespace dynid {

using Eigen::Index;

namespace {
constexpr double kSeveralSteps = 25.0;
constexpr Index kShortHold = 8, kLongHold = 100;  // rows
constexpr Index kPolled = 3;                      // rows per sample of the source

/// Whether the robot moves right before and right behind the rows [first, end), which equal the row
/// before them: the steps on both sides are not much smaller than the second smallest of four steps
/// over `hold` rows farther away (rows beside lost ones are farther apart). Around a rest they are
/// the last step of a braking and the first of a starting robot.
bool movesAround(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                 const Eigen::Ref<const Eigen::VectorXd>& resolution,
                 Index hold,
                 Index first,
                 Index end) {
  constexpr double kShare = 0.25;
  const auto step = [&](Index from, Index to) {  // in encoder steps
    if (from < 0 || to >= Q.rows()) return 0.0;
    return (Q.row(to) - Q.row(from)).transpose().cwiseQuotient(resolution).norm();
  };
  const auto goes_on = [&](double near, auto&& farther_step) {
    std::array<double, 4> farther{};
    for (Index i = 0; i < std::ssize(farther); ++i) farther[i] = farther_step(i * hold);
    std::nth_element(farther.begin(), farther.begin() + 1, farther.end());
    return near > kShare * farther[1];
  };
  // `first - 1` is the row that is repeated.
  return goes_on(step(end - 1, end),
                 [&](Index rows) { return step(end + rows, end + rows + hold); }) &&
         goes_on(step(first - 2, first - 1),
                 [&](Index rows) { return step(first - 2 - rows - hold, first - 2 - rows); });
}

}  // namespace

Index usualHold(const Eigen::Ref<const Eigen::MatrixXd>& Q) {
  std::vector<Index> runs;
  for (Index k = 0; k < Q.rows();) {
    Index end = k + 1;
    while (end < Q.rows() && Q.row(end) == Q.row(k)) ++end;
    runs.push_back(end - k);
    k = end;
  }
  if (runs.empty()) return 1;
  const auto middle = runs.begin() + std::ssize(runs) / 2;
  std::nth_element(runs.begin(), middle, runs.end());
  return *middle;
}

Index longestHold(Index usual_hold) {
  if (usual_hold < kPolled) return kShortHold;
  return std::clamp<Index>(5 * usual_hold / 2, kShortHold, kLongHold);
}

std::vector<bool> heldRows(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                           const Eigen::Ref<const Eigen::VectorXd>& resolution,
                           Index usual_hold,
                           HoldStatistics* statistics) {
  const Index n = Q.rows(), longest = longestHold(usual_hold);
  const Index hold = usual_hold < kPolled ? 1 : usual_hold;
  std::vector<bool> held(n, false);
  const Eigen::VectorXd steps = motionInformation(chordSlopes(Q, longest), resolution);
  if (statistics != nullptr) statistics->moving += (steps.array() > kSeveralSteps).count();
  for (Index k = 1; k < n;) {
    Index end = k;
    bool moving = true;
    while (end < n && Q.row(end) == Q.row(end - 1)) {
      moving = moving && steps(end) > kSeveralSteps;
      ++end;
    }
    if (end > k && end - k <= longest && moving && movesAround(Q, resolution, hold, k, end)) {
      for (Index i = k; i < end; ++i) held[i] = true;
      if (statistics != nullptr) statistics->held += end - k;
    }
    k = end + 1;
  }
  return held;
}

}  // namespace dynid
