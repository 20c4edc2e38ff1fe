#include "dynid/signals/held_rows.h"

#include "dynid/signals/local_motion.h"

namespace dynid {

using Eigen::Index;

Index HoldStatistics::heldRows() const {
  Index rows = 0;
  for (std::size_t r = 0; r < run_count.size(); ++r) rows += static_cast<Index>(r) * run_count[r];
  return rows;
}

std::vector<bool> heldRows(const Eigen::Ref<const Eigen::MatrixXd>& Q,
                           const Eigen::Ref<const Eigen::VectorXd>& noise,
                           Index longest,
                           HoldStatistics* statistics) {
  const Index n = Q.rows();
  std::vector<bool> held(static_cast<std::size_t>(n), false);
  const Eigen::VectorXd information = motionInformation(chordSlopes(Q, kLongestHold), noise);
  if (statistics != nullptr) {
    statistics->certain += (information.array() > kCertain).count();
    statistics->run_count.resize(static_cast<std::size_t>(kLongestHold) + 1, 0);
  }
  for (Index k = 1; k < n;) {
    Index end = k;
    bool certain = true;
    while (end < n && Q.row(end) == Q.row(end - 1)) {
      certain = certain && information(end) > kCertain;
      ++end;
    }
    const Index length = end - k;
    if (length > 0 && length <= longest && certain) {
      for (Index i = k; i < end; ++i) held[static_cast<std::size_t>(i)] = true;
      if (statistics != nullptr) ++statistics->run_count[static_cast<std::size_t>(length)];
    }
    k = end + 1;
  }
  return held;
}

}  // namespace dynid
