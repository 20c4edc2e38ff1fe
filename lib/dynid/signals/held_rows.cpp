#include "dynid/signals/held_rows.h"

#include "dynid/signals/local_motion.h"

namespace dynid {

using Eigen::Index;

namespace {
constexpr double kSeveralSteps = 25.0;
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
    if (end > k && end - k <= kLongestHold && moving) {
      for (Index i = k; i < end; ++i) held[i] = true;
      if (statistics != nullptr) statistics->held += end - k;
    }
    k = end + 1;
  }
  return held;
}

}  // namespace dynid
