#pragma once

#include "dynid/regression/statistics.h"

#include <cmath>
#include <random>
#include <vector>

namespace dynid {

/// A regression problem with known parameters: effort channels that share columns, smooth
/// regressors, and independent noise in every channel, white or first-order autoregressive.
struct SyntheticRegression {
  std::vector<std::vector<int>> columns{{0, 1, 2, 3}, {2, 3, 4, 5}};  ///< one list per channel
  Eigen::VectorXd truth = (Eigen::VectorXd(6) << 2.0, -1.0, 0.5, 3.0, -0.2, 10.0).finished();
  Eigen::VectorXd sigma = Eigen::Vector2d(0.1, 0.1);  ///< one per channel
  int blocks = 20;
  int rows = 50;             ///< per block
  double smoothness = 0.0;   ///< correlation of neighbouring rows of the regressor
  double correlation = 0.0;  ///< of neighbouring noise samples

  int layoutSize() const { return static_cast<int>(truth.size()); }
};

/// The samples: per channel one [rows of all blocks x columns + 1], the last column the effort.
inline std::vector<Eigen::MatrixXd> sampleRows(const SyntheticRegression& problem,
                                               std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  const auto smooth = [&](Eigen::Ref<Eigen::VectorXd> x, double correlation) {
    const double fresh = std::sqrt(1.0 - correlation * correlation);
    x(0) = normal(rng);
    for (Eigen::Index k = 1; k < x.size(); ++k) x(k) = correlation * x(k - 1) + fresh * normal(rng);
  };
  std::vector<Eigen::MatrixXd> channels;
  for (size_t a = 0; a < problem.columns.size(); ++a) {
    const auto count = static_cast<Eigen::Index>(problem.columns[a].size());
    Eigen::MatrixXd X(problem.blocks * problem.rows, count + 1);
    for (Eigen::Index c = 0; c <= count; ++c)
      smooth(X.col(c), c < count ? problem.smoothness : problem.correlation);
    X.col(count) *= problem.sigma(a);
    for (Eigen::Index c = 0; c < count; ++c)
      X.col(count) += problem.truth(problem.columns[a][c]) * X.col(c);
    channels.push_back(X);
  }
  return channels;
}

/// The samples compressed, all of them moving.
inline Statistics compress(const SyntheticRegression& problem,
                           const std::vector<Eigen::MatrixXd>& samples) {
  Statistics statistics;
  statistics.layout_size = problem.layoutSize();
  statistics.block_log.assign(problem.blocks, 0);
  for (size_t a = 0; a < samples.size(); ++a) {
    ChannelStatistics channel;
    channel.columns = problem.columns[a];
    const TriangularFactor empty(samples[a].cols());
    channel.moving.assign(problem.blocks, empty);
    channel.standstill = channel.moving;
    for (int b = 0; b < problem.blocks; ++b)
      channel.moving[b].add(samples[a].middleRows(b * problem.rows, problem.rows));
    statistics.channels.push_back(std::move(channel));
  }
  return statistics;
}

inline std::vector<int> allColumns(const SyntheticRegression& problem) {
  std::vector<int> columns;
  for (int c = 0; c < problem.layoutSize(); ++c) columns.push_back(c);
  return columns;
}

/// Rows of all channels in the columns of the layout, divided by `sigma`: [rows x layout + 1].
inline Eigen::MatrixXd whitenedRows(const SyntheticRegression& problem,
                                    const std::vector<Eigen::MatrixXd>& samples,
                                    const Eigen::VectorXd& sigma) {
  const Eigen::Index rows = samples.front().rows();
  const auto channels = static_cast<Eigen::Index>(samples.size());
  Eigen::MatrixXd stack = Eigen::MatrixXd::Zero(rows * channels, problem.layoutSize() + 1);
  for (Eigen::Index a = 0; a < channels; ++a) {
    const Eigen::MatrixXd& X = samples[a];
    const std::vector<int>& columns = problem.columns[a];
    for (size_t c = 0; c < columns.size(); ++c)
      stack.block(a * rows, columns[c], rows, 1) = X.col(c) / sigma(a);
    stack.block(a * rows, problem.layoutSize(), rows, 1) = X.rightCols<1>() / sigma(a);
  }
  return stack;
}

}  // namespace dynid
