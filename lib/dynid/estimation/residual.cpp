#include "dynid/estimation/residual.h"

#include <cmath>

namespace dynid {
namespace {

double rootMean(double squared, double rows) {
  return rows > 0.0 ? std::sqrt(squared / rows) : 0.0;
}

}  // namespace

std::vector<std::pair<int, int>> sharedColumns(const ChannelStatistics& channel,
                                               const std::vector<int>& columns) {
  std::vector<std::pair<int, int>> shared;
  size_t from = 0;
  for (size_t to = 0; to < columns.size(); ++to) {
    while (from < channel.columns.size() && channel.columns[from] < columns[to]) ++from;
    if (from < channel.columns.size() && channel.columns[from] == columns[to])
      shared.emplace_back(static_cast<int>(to), static_cast<int>(from));
  }
  return shared;
}

double squaredEffort(const TriangularFactor& factor) {
  return factor.rows() > 0.0 ? factor.R().rightCols<1>().squaredNorm() : 0.0;
}

double squaredResidual(const TriangularFactor& factor,
                       const std::vector<std::pair<int, int>>& shared,
                       const Eigen::VectorXd& beta) {
  if (factor.rows() == 0.0) return 0.0;
  Eigen::VectorXd r = -factor.R().rightCols<1>();
  for (const auto& [to, from] : shared) r += factor.R().col(from) * beta(to);
  return r.squaredNorm();
}

ChannelSums movingSums(const ChannelStatistics& channel,
                       const std::vector<int>& columns,
                       const Eigen::VectorXd& beta) {
  const auto shared = sharedColumns(channel, columns);
  ChannelSums sums;
  for (const TriangularFactor& factor : channel.moving) {
    sums.rows += factor.rows();
    sums.squared_effort += squaredEffort(factor);
    sums.squared_residual += squaredResidual(factor, shared, beta);
  }
  return sums;
}

double squaredModel(const ChannelStatistics& channel,
                    const std::vector<int>& columns,
                    const Eigen::VectorXd& beta) {
  const auto shared = sharedColumns(channel, columns);
  double squares = 0.0;
  for (const TriangularFactor& factor : channel.moving) {
    if (factor.rows() == 0.0) continue;
    Eigen::VectorXd model = Eigen::VectorXd::Zero(factor.R().rows());
    for (const auto& [to, from] : shared) model += factor.R().col(from) * beta(to);
    squares += model.squaredNorm();
  }
  return squares;
}

Eigen::VectorXd channelResidual(const Statistics& statistics,
                                const std::vector<int>& columns,
                                const Eigen::VectorXd& beta) {
  Eigen::VectorXd residual(statistics.numChannels());
  for (Eigen::Index a = 0; a < residual.size(); ++a) {
    const ChannelSums sums = movingSums(statistics.channels[a], columns, beta);
    residual(a) = rootMean(sums.squared_residual, sums.rows);
  }
  return residual;
}

Eigen::VectorXd channelEffort(const Statistics& statistics) {
  Eigen::VectorXd effort(statistics.numChannels());
  for (Eigen::Index a = 0; a < effort.size(); ++a) {
    const ChannelSums sums = movingSums(statistics.channels[a], {}, {});
    effort(a) = rootMean(sums.squared_effort, sums.rows);
  }
  return effort;
}

}  // namespace dynid
