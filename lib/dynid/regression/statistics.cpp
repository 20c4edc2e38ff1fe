#include "dynid/regression/statistics.h"

#include <algorithm>

namespace dynid {

double Statistics::movingRows(int channel) const {
  double rows = 0.0;
  for (const TriangularFactor& factor : channels[channel].moving) rows += factor.rows();
  return rows;
}

namespace {

// Channels that hardly move do not count.
std::vector<int> countingChannels(const Statistics& statistics) {
  constexpr double kHardly = 0.05;  // of the rows of the channel that moves most
  double most = 0.0;
  for (int channel = 0; channel < statistics.numChannels(); ++channel)
    most = std::max(most, statistics.movingRows(channel));
  std::vector<int> counting;
  for (int channel = 0; channel < statistics.numChannels(); ++channel)
    if (statistics.movingRows(channel) > kHardly * most) counting.push_back(channel);
  return counting;
}

// The largest share of the moving rows of a channel that is in one fold.
double largestShareOfRows(const Statistics& statistics, const std::vector<int>& fold_of_block) {
  double largest = 0.0;
  for (const int channel : countingChannels(statistics)) {
    std::vector<double> rows(fold_of_block.size(), 0.0);
    for (int b = 0; b < statistics.numBlocks(); ++b)
      rows[fold_of_block[b]] += statistics.channels[channel].moving[b].rows();
    largest = std::max(
        largest, *std::max_element(rows.begin(), rows.end()) / statistics.movingRows(channel));
  }
  return largest;
}

// The largest share of the squared norm of a column that is in one fold.
double largestShareOfColumns(const Statistics& statistics, const std::vector<int>& fold_of_block) {
  Eigen::MatrixXd squared =
      Eigen::MatrixXd::Zero(statistics.layout_size, std::ssize(fold_of_block));
  for (const int index : countingChannels(statistics)) {
    const ChannelStatistics& channel = statistics.channels[index];
    for (size_t b = 0; b < channel.moving.size(); ++b)
      for (size_t c = 0; c < channel.columns.size(); ++c)
        squared(channel.columns[c], fold_of_block[b]) +=
            channel.moving[b].R().col(static_cast<Eigen::Index>(c)).squaredNorm();
  }
  constexpr double kRounding = 1e-20;
  const Eigen::VectorXd total = squared.rowwise().sum();
  double largest = 0.0;
  for (Eigen::Index c = 0; c < total.size(); ++c)
    if (total(c) > kRounding * total.maxCoeff())
      largest = std::max(largest, squared.row(c).maxCoeff() / total(c));
  return largest;
}

}  // namespace

std::vector<int> foldsOfBlocks(const Statistics& statistics, int folds) {
  constexpr double kMost = 0.6, kNearlyAll = 0.99;
  const int blocks = statistics.numBlocks();
  std::vector<int> consecutive, in_turn;
  for (int b = 0; b < blocks; ++b) {
    consecutive.push_back(b * folds / blocks);
    in_turn.push_back(b % folds);
  }
  const bool lacking = folds > 2 && (largestShareOfRows(statistics, consecutive) > kMost ||
                                     largestShareOfColumns(statistics, consecutive) > kNearlyAll);
  return lacking ? in_turn : consecutive;
}

}  // namespace dynid
