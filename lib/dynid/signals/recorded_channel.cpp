#include "dynid/signals/recorded_channel.h"

#include <cmath>
#include <limits>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kNeighbours = 5;  // rows

/// 1 for rows that have a finite value within kNeighbours, otherwise 0.
MatrixXd isNearAValue(const Eigen::Ref<const Eigen::VectorXd>& column) {
  MatrixXd near = MatrixXd::Zero(column.size(), 1);
  for (Index k = 0; k < column.size(); ++k) {
    if (!std::isfinite(column(k))) continue;
    const Index first = std::max<Index>(0, k - kNeighbours);
    near.middleRows(first, std::min(column.size(), k + kNeighbours + 1) - first).setOnes();
  }
  return near;
}

}  // namespace

MatrixXd recordedChannel(const RawSignals& window,
                         const MatrixXd& channel,
                         const ConditionedSignals& signals,
                         const SignalPlan& plan) {
  FilterWorkspace workspace;
  MatrixXd samples;
  if (channel.allFinite()) {
    samples = channelOnGrid(window, channel, signals, plan);
    filterSegments(signals, plan.motionLowpass(), samples, workspace);
    return samples;
  }
  samples.resize(signals.time.size(), channel.cols());
  for (Index j = 0; j < channel.cols(); ++j)
    samples.col(j) = channelOnGrid(window, channel.col(j), signals, plan);
  filterSegments(signals, plan.motionLowpass(), samples, workspace);
  for (Index j = 0; j < channel.cols(); ++j) {
    if (channel.col(j).allFinite()) continue;
    const MatrixXd near = channelOnGrid(window, isNearAValue(channel.col(j)), signals, plan);
    for (Index k = 0; k < samples.rows(); ++k)
      if (near(k, 0) < 0.5) samples(k, j) = std::numeric_limits<double>::quiet_NaN();
  }
  return samples;
}

Segment longestKnown(const Eigen::Ref<const Eigen::VectorXd>& column) {
  Segment longest;
  Index begin = 0;
  for (Index k = 0; k <= column.size(); ++k) {
    if (k < column.size() && !std::isnan(column(k))) continue;
    if (k - begin > longest.size()) longest = {begin, k};
    begin = k + 1;
  }
  return longest;
}

}  // namespace dynid
