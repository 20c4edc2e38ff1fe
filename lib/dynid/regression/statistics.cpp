#include "dynid/regression/statistics.h"

#include <algorithm>

namespace dynid {

double Statistics::movingRows(int channel) const {
  double rows = 0.0;
  for (const TriangularFactor& factor : channels[channel].moving) rows += factor.rows();
  return rows;
}

namespace {

// The largest share of the moving rows of a channel that is in one fold. Channels that hardly move
// do not count.
double largestShare(const Statistics& statistics, const std::vector<int>& fold_of_block) {
  constexpr double kHardly = 0.05;  // of the rows of the channel that moves most
  double most = 0.0, largest = 0.0;
  for (int channel = 0; channel < statistics.numChannels(); ++channel)
    most = std::max(most, statistics.movingRows(channel));
  for (int channel = 0; channel < statistics.numChannels(); ++channel) {
    const double total = statistics.movingRows(channel);
    if (!(total > kHardly * most)) continue;
    std::vector<double> rows(fold_of_block.size(), 0.0);
    for (int b = 0; b < statistics.numBlocks(); ++b)
      rows[fold_of_block[b]] += statistics.channels[channel].moving[b].rows();
    largest = std::max(largest, *std::max_element(rows.begin(), rows.end()) / total);
  }
  return largest;
}

}  // namespace

std::vector<int> foldsOfBlocks(const Statistics& statistics, int folds) {
  constexpr double kMost = 0.6;
  const int blocks = statistics.numBlocks();
  std::vector<int> consecutive, in_turn;
  for (int b = 0; b < blocks; ++b) {
    consecutive.push_back(b * folds / blocks);
    in_turn.push_back(b % folds);
  }
  return folds > 2 && largestShare(statistics, consecutive) > kMost ? in_turn : consecutive;
}

}  // namespace dynid
