#include "dynid/estimation/covariance.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace dynid {
namespace {

struct Normal {
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  bool empty = true;
};

// Normal equations of one block over all channels, whitened as the estimate is.
Normal blockNormal(const Statistics& statistics,
                   const Estimate& estimate,
                   const LeastSquaresOptions& options,
                   size_t block) {
  const auto p = static_cast<Eigen::Index>(estimate.columns.size());
  Normal normal{Eigen::MatrixXd::Zero(p, p), Eigen::VectorXd::Zero(p), true};
  for (size_t a = 0; a < statistics.channels.size(); ++a) {
    const ChannelStatistics& channel = statistics.channels[a];
    const auto shared = sharedColumns(channel, estimate.columns);
    const double weight = estimate.block_weights(static_cast<Eigen::Index>(a),
                                                 static_cast<Eigen::Index>(block)) /
                          estimate.sigma(static_cast<Eigen::Index>(a));
    const auto add = [&](const TriangularFactor& factor) {
      if (factor.rows() == 0.0) return;
      normal.empty = false;
      Eigen::MatrixXd X(factor.columns(), static_cast<Eigen::Index>(shared.size()));
      for (size_t c = 0; c < shared.size(); ++c)
        X.col(static_cast<Eigen::Index>(c)) = weight * factor.R().col(shared[c].second);
      const Eigen::MatrixXd G = X.transpose() * X;
      const Eigen::VectorXd g = X.transpose() * (weight * factor.R().col(factor.columns() - 1));
      for (size_t i = 0; i < shared.size(); ++i) {
        normal.g(shared[i].first) += g(static_cast<Eigen::Index>(i));
        for (size_t j = 0; j < shared.size(); ++j)
          normal.G(shared[i].first, shared[j].first) +=
              G(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      }
    };
    add(channel.moving[block]);
    if (!options.use_still.empty() && options.use_still[a]) add(channel.still[block]);
  }
  return normal;
}

}  // namespace

Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const LeastSquaresOptions& options) {
  const auto p = static_cast<Eigen::Index>(estimate.columns.size());
  Covariance covariance;
  covariance.matrix = Eigen::MatrixXd::Zero(p, p);
  covariance.std_dev = Eigen::VectorXd::Constant(p, std::numeric_limits<double>::infinity());
  std::vector<Normal> blocks;
  for (size_t b = 0; b < static_cast<size_t>(statistics.numBlocks()); ++b) {
    Normal normal = blockNormal(statistics, estimate, options, b);
    if (!normal.empty) blocks.push_back(std::move(normal));
  }
  const auto B = static_cast<double>(blocks.size());
  if (blocks.size() < 2 || estimate.rows <= estimate.rank) return covariance;

  std::vector<Eigen::Index> kept;  // unexcited parameters stay at zero and have no finite variance
  for (Eigen::Index c = 0; c < p; ++c)
    if (!std::binary_search(estimate.unexcited.begin(), estimate.unexcited.end(), static_cast<int>(c)))
      kept.push_back(c);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(p, p);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(p);
  for (const Normal& normal : blocks) {
    G += normal.G;
    g += normal.g;
  }
  const Eigen::VectorXd scale = G(kept, kept).diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd deviations(static_cast<Eigen::Index>(kept.size()),
                             static_cast<Eigen::Index>(blocks.size()));
  for (size_t b = 0; b < blocks.size(); ++b) {
    const Eigen::MatrixXd without =
        scale.asDiagonal() * (G(kept, kept) - blocks[b].G(kept, kept)) * scale.asDiagonal();
    // Solving for the change instead of for beta keeps digits: (G - G_b) d = -(g_b - G_b beta).
    const Eigen::VectorXd score = blocks[b].g(kept) - blocks[b].G(kept, kept) * estimate.beta(kept);
    deviations.col(static_cast<Eigen::Index>(b)) =
        -(scale.asDiagonal() * without.ldlt().solve(scale.asDiagonal() * score));
  }
  const Eigen::VectorXd mean = deviations.rowwise().mean();
  deviations.colwise() -= mean;
  const Eigen::MatrixXd matrix = (B - 1.0) / B * deviations * deviations.transpose();
  covariance.matrix(kept, kept) = matrix;
  for (size_t i = 0; i < kept.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    covariance.std_dev(kept[i]) = std::sqrt(matrix(k, k));
  }
  covariance.degrees_of_freedom = B - 1.0;
  covariance.t_quantile =
      boost::math::quantile(boost::math::students_t(covariance.degrees_of_freedom), 0.975);
  return covariance;
}

}  // namespace dynid
