#include "dynid/identification/effort_drift.h"

#include "dynid/estimation/residual.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr int kFewestDriftBlocks = 8;
// Right logs of nine real robots reach 0.22 of the residual and 0.33 of the differences between
// blocks (Panda), simulated ones 0.01 and 0.07; a drift by 0.4 times the rms effort reaches 0.9 and
// 0.97.
constexpr double kLeastOfResidual = 0.5, kLinear = 0.8, kLeastOfEffort = 0.02;

/// Place of the drive's constant column among those of its channel; -1: it has none.
Index offsetOf(const ParameterLayout& layout, const ChannelStatistics& channel, int actuator) {
  for (Index c = 0; c < std::ssize(channel.columns); ++c) {
    const Column& column = layout[channel.columns[c]];
    if (column.isFriction(FrictionEffect::kOffset) && !column.at_joint && column.owner == actuator)
      return c;
  }
  return -1;
}

/// A linear drift of an effort through a log.
struct EffortDrift {
  double change = 0.0;     // from the first to the last block
  double of_effort = 0.0;  // rms, relative to that of the effort
};

/// @param blocks   of one log, in their order
/// @param offset   place of the constant column among those of the channel
/// @param columns  of the layout, ascending
/// @param beta     their parameters
std::optional<EffortDrift> effortDrift(const ChannelStatistics& channel,
                                       const std::vector<int>& blocks,
                                       Index offset,
                                       const std::vector<int>& columns,
                                       const Eigen::VectorXd& beta) {
  const auto shared = sharedColumns(channel, columns);
  std::vector<double> place, rows, mean;
  double effort = 0.0, residual = 0.0;
  for (const int b : blocks) {
    const TriangularFactor& block = channel.moving[b];
    if (!(block.rows() > 0.0)) continue;
    Eigen::VectorXd r = block.R().rightCols<1>();
    for (const auto& [to, from] : shared) r -= block.R().col(from) * beta(to);
    const auto constant = block.R().col(offset);
    if (!(constant.squaredNorm() > 0.0)) continue;
    place.push_back(static_cast<double>(b));
    rows.push_back(constant.squaredNorm());
    mean.push_back(constant.dot(r) / rows.back());
    effort += squaredEffort(block);
    residual += r.squaredNorm();
  }
  if (std::ssize(place) < kFewestDriftBlocks) return std::nullopt;
  using Array = Eigen::Map<const Eigen::ArrayXd>;
  const Array x(place.data(), std::ssize(place)), n(rows.data(), x.size()),
      m(mean.data(), x.size());
  const Eigen::ArrayXd dx = x - (n * x).sum() / n.sum(), dm = m - (n * m).sum() / n.sum();
  const double slope = (n * dx * dm).sum() / (n * dx.square()).sum();
  const double drift = slope * slope * (n * dx.square()).sum();
  const EffortDrift found{slope * (place.back() - place.front()), std::sqrt(drift / effort)};
  if (!(drift > kLeastOfResidual * residual) || !(found.of_effort > kLeastOfEffort) ||
      !(drift > kLinear * (n * dm.square()).sum()))
    return std::nullopt;
  return found;
}

Finding driftFinding(const Robot& robot, int joint, const EffortDrift& drift, bool scale_known) {
  const char* unit = robot.joints[joint].prismatic ? "N" : "N m";
  return {Finding::Severity::kWarning,
          "effort-drift",
          joint,
          fmt::format("{}: the effort drifts by {:.3g} {} through the log, which is most of the "
                      "error of the fit ({:.0f} % of the effort): the sensor drifts, or friction "
                      "changes",
                      robot.drives[joint].name,
                      drift.change,
                      scale_known ? unit : "A",
                      100.0 * drift.of_effort),
          drift.change,
          "record with the robot and its sensors warm, or subtract the drift; or identify from a "
          "part of the log (`from_s`, `to_s`)"};
}

}  // namespace

void reportDrifts(const Recordings& recordings,
                  const Regression& regression,
                  const Eigen::VectorXd& parameters,
                  bool scale_known) {
  const Statistics& statistics = *regression.statistics;
  const std::vector<int>& columns = regression.base.independent;
  const Eigen::VectorXd beta = regression.base.combination() * parameters;
  const int saved = static_cast<int>(recordings.stretches.size() - recordings.logs.size());
  for (int log = 0; log < std::ssize(recordings.logs); ++log) {
    std::vector<int> blocks;
    for (int b = 0; b < statistics.numBlocks(); ++b)
      if (statistics.block_log[b] == saved + log) blocks.push_back(b);
    for (int a = 0; a < std::ssize(recordings.robot->drives); ++a) {
      const ChannelStatistics& channel = statistics.channels[a];
      const Index offset = offsetOf(regression.layout(), channel, a);
      if (offset < 0) continue;
      if (const auto drift = effortDrift(channel, blocks, offset, columns, beta))
        recordings.logs[log].source->addFinding(
            driftFinding(*recordings.robot, a, *drift, scale_known));
    }
  }
}

}  // namespace dynid
