#include "dynid/identification/explained_share.h"

#include "dynid/estimation/residual.h"

#include <algorithm>

namespace dynid {
namespace {

// Sum of the efforts over the rows in which a channel moves, from the offset's column of its
// factors.
double movingEffortSum(const ChannelStatistics& channel, const ParameterLayout& layout) {
  double sum = 0.0;
  for (Eigen::Index c = 0; c < std::ssize(channel.columns); ++c) {
    if (!layout[channel.columns[c]].isFriction(FrictionEffect::kOffset)) continue;
    for (const TriangularFactor& factor : channel.moving)
      if (factor.rows() > 0.0) sum += factor.R().col(c).dot(factor.R().rightCols<1>());
  }
  return sum;
}

}  // namespace

Eigen::VectorXd explainedShare(const Recordings& recordings,
                               const Regression& regression,
                               const Fit& fit,
                               const Statistics& judged,
                               const FitOptions& options) {
  constexpr int kFolds = 5;
  const FoldFits folds = fitFolds(recordings, regression, fit, kFolds, options);
  std::vector<Eigen::VectorXd> values;
  for (const Eigen::VectorXd& parameters : folds.parameters)
    values.emplace_back(regression.base.combination() * parameters);
  Eigen::VectorXd share(judged.numChannels());
  for (Eigen::Index a = 0; a < share.size(); ++a) {
    const ChannelStatistics& channel = judged.channels[a];
    const ChannelSums sums = movingSums(channel, {}, {});
    const auto shared = sharedColumns(channel, regression.base.independent);
    double squared_residual = 0.0;
    for (size_t block = 0; block < channel.moving.size(); ++block)
      squared_residual +=
          squaredResidual(channel.moving[block], shared, values[folds.fold_of_block[block]]);
    const double sum = movingEffortSum(channel, regression.layout());
    const double about_mean = sums.squared_effort - sum * sum / std::max(sums.rows, 1.0);
    share(a) = about_mean > 0.0 ? 1.0 - squared_residual / about_mean : 0.0;
  }
  return share;
}

}  // namespace dynid
