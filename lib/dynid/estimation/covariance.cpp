#include "dynid/estimation/covariance.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
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
    const double weight =
        estimate.block_weights(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(block)) /
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

// A block beyond this leverage in some direction determines it alone: its residual there is
// rounding.
constexpr double kSmallestSlack = 1e-6;
// Share of a parameter's variance that the blocks can show; below, nothing is known of it.
constexpr double kSmallestShare = 1e-3;

// What a block contributes, in coordinates in which the blocks' A = L^-1 G_b L^-T add up to the
// identity.
struct Contribution {
  Eigen::MatrixXd A, root;  // root = (1 - A)^(-1/2)
  Eigen::VectorXd deviation;
};

Contribution contribution(const Normal& block,
                          const Eigen::VectorXd& beta,
                          const Eigen::MatrixXd& L_inverse) {
  Contribution own;
  own.A = L_inverse * block.G * L_inverse.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(own.A);
  const Eigen::ArrayXd slack = 1.0 - eigen.eigenvalues().array();
  const Eigen::VectorXd factor =
      (slack > kSmallestSlack).select(slack.max(kSmallestSlack).rsqrt(), 0.0).matrix();
  own.root = eigen.eigenvectors() * factor.asDiagonal() * eigen.eigenvectors().transpose();
  own.deviation = L_inverse.transpose() * (own.root * (L_inverse * (block.g - block.G * beta)));
  return own;
}

// Variance of one parameter as white noise of unit variance would show it: what the sandwich finds
// on average, relative to the true one, and its degrees of freedom.
struct Reference {
  double share = 0.0, degrees_of_freedom = 0.0;
};

Reference reference(const std::vector<Contribution>& blocks, const Eigen::VectorXd& direction) {
  const auto B = static_cast<Eigen::Index>(blocks.size());
  Eigen::MatrixXd seen(direction.size(), B);
  Eigen::VectorXd variance(B);
  for (Eigen::Index b = 0; b < B; ++b) {
    const Contribution& block = blocks[static_cast<size_t>(b)];
    const Eigen::VectorXd w = block.root * direction;
    seen.col(b) = block.A * w;
    variance(b) = w.dot(seen.col(b));
  }
  Eigen::MatrixXd omega = -seen.transpose() * seen;
  omega.diagonal() += variance;
  const double trace = omega.trace();
  Reference result;
  result.share = trace / direction.squaredNorm();
  result.degrees_of_freedom =
      trace > 0.0 ? std::max(1.0, trace * trace / omega.squaredNorm()) : 0.0;
  return result;
}

}  // namespace

Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const LeastSquaresOptions& options) {
  const auto p = static_cast<Eigen::Index>(estimate.columns.size());
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Covariance covariance;
  covariance.matrix = Eigen::MatrixXd::Zero(p, p);
  covariance.std_dev = covariance.half_width = Eigen::VectorXd::Constant(p, kInfinite);
  covariance.degrees_of_freedom = Eigen::VectorXd::Zero(p);
  std::vector<Eigen::Index> kept;  // unexcited parameters stay at zero and have no finite variance
  for (Eigen::Index c = 0; c < p; ++c)
    if (!std::binary_search(
            estimate.unexcited.begin(), estimate.unexcited.end(), static_cast<int>(c)))
      kept.push_back(c);
  std::vector<Normal> normals;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(p, p);
  for (size_t b = 0; b < static_cast<size_t>(statistics.numBlocks()); ++b) {
    Normal normal = blockNormal(statistics, estimate, options, b);
    if (normal.empty) continue;
    G += normal.G;
    normals.push_back({normal.G(kept, kept), normal.g(kept), false});
  }
  if (normals.size() < 2 || estimate.rows <= estimate.rank || kept.empty()) return covariance;

  const Eigen::VectorXd scale = G(kept, kept).diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> llt(
      Eigen::MatrixXd(scale.asDiagonal() * G(kept, kept) * scale.asDiagonal()));
  if (llt.info() != Eigen::Success) return covariance;
  const auto q = static_cast<Eigen::Index>(kept.size());
  const Eigen::MatrixXd L_inverse =
      llt.matrixL().solve(Eigen::MatrixXd::Identity(q, q)) * scale.asDiagonal();
  std::vector<Contribution> blocks;
  for (const Normal& normal : normals)
    blocks.push_back(contribution(normal, estimate.beta(kept), L_inverse));

  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(q, q);
  for (const Contribution& block : blocks)
    matrix.noalias() += block.deviation * block.deviation.transpose();
  Eigen::VectorXd correction = Eigen::VectorXd::Zero(q);
  for (Eigen::Index k = 0; k < q; ++k) {
    const Reference white = reference(blocks, L_inverse.col(k));
    if (white.share < kSmallestShare) continue;
    correction(k) = 1.0 / std::sqrt(white.share);
    const Eigen::Index c = kept[static_cast<size_t>(k)];
    covariance.degrees_of_freedom(c) = white.degrees_of_freedom;
    covariance.std_dev(c) = correction(k) * std::sqrt(matrix(k, k));
    covariance.half_width(c) =
        covariance.std_dev(c) *
        boost::math::quantile(boost::math::students_t(white.degrees_of_freedom), 0.975);
  }
  covariance.matrix(kept, kept) = correction.asDiagonal() * matrix * correction.asDiagonal();
  return covariance;
}

}  // namespace dynid
