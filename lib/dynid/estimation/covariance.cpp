#include "dynid/estimation/covariance.h"

#include "dynid/core/parallel.h"
#include "dynid/estimation/column_groups.h"
#include "dynid/kernels/dense.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Normal equations of one cluster over all channels, whitened as in the estimate.
struct Normal {
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  bool empty = true;
};

// Adds the whitened normal equations of one block: G += X^T X and g += X^T tau over all channels,
// with the weights of the estimate.
void addBlock(const Statistics& statistics,
              const Estimate& estimate,
              Eigen::Index block,
              Normal& normal) {
  for (Eigen::Index a = 0; a < statistics.numChannels(); ++a) {
    const auto& channel = statistics.channels[a];
    const double weight = estimate.block_weights(a, block) / estimate.sigma(a);
    if (weight == 0.0) continue;
    const auto shared = sharedColumns(channel, estimate.columns);
    std::vector<int> to, from;
    for (const auto& [column, position] : shared) {
      to.push_back(column);
      from.push_back(position);
    }
    const auto add = [&](const TriangularFactor& factor, double relative_weight) {
      if (factor.rows() == 0.0 || relative_weight == 0.0) return;
      normal.empty = false;
      const Eigen::MatrixXd rows =
          relative_weight * weight * factor.R()(filledRows(factor), Eigen::all);
      const Eigen::MatrixXd X = rows(Eigen::all, from);
      normal.g(to) += X.transpose() * rows.rightCols<1>();
      normal.G(to, to) += denseGram(X);
    };
    add(channel.moving[block], 1.0);
    add(channel.standstill[block], estimate.standstill_weight(a));
  }
}

// Normal equations of all clusters that contain rows.
std::vector<Normal> clusterNormals(const Statistics& statistics,
                                   const Estimate& estimate,
                                   const std::vector<int>& labels,
                                   int threads) {
  const auto p = std::ssize(estimate.columns);
  const int count = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
  std::vector<Normal> normals(count);
  parallelFor(count, threads, [&](int cluster) {
    Normal& normal = normals[cluster];
    for (int b = 0; b < statistics.numBlocks(); ++b) {
      if (labels[b] != cluster) continue;
      if (normal.G.size() == 0) {
        normal.G = Eigen::MatrixXd::Zero(p, p);
        normal.g = Eigen::VectorXd::Zero(p);
      }
      addBlock(statistics, estimate, b, normal);
    }
  });
  std::erase_if(normals, [](const Normal& normal) { return normal.empty; });
  return normals;
}

// If the leverage of a cluster in some direction exceeds 1 minus this value, the cluster alone
// determines that direction, and its residual there consists of rounding errors.
constexpr double kSmallestSlack = 1e-6;
// Smallest share of a parameter's variance that the clusters must be able to show; below it the
// variance counts as infinite.
constexpr double kSmallestShare = 1e-3;

// Contribution of a cluster, in coordinates in which the matrices A = L^-1 G_g L^-T of all clusters
// add up to the identity; root = (1 - A)^(-1/2).
struct Contribution {
  Eigen::MatrixXd seen;      // A root L^-1
  Eigen::VectorXd variance;  // diagonal of L^-T root A root L^-1
  Eigen::VectorXd deviation;
};

// d_g of a cluster: deviation = L^-T (1 - A)^(-1/2) L^-1 (g - G beta). Directions that the cluster
// determines alone get zero.
Contribution contribution(const Normal& cluster,
                          const Eigen::VectorXd& beta,
                          const Eigen::MatrixXd& L_inverse) {
  const Eigen::MatrixXd A =
      denseProduct(denseProduct(L_inverse, cluster.G), L_inverse.transpose().eval());
  const SymmetricEigen eigen = denseSymmetricEigen(A);
  const Eigen::ArrayXd slack = 1.0 - eigen.values.array();
  const Eigen::VectorXd factor =
      (slack > kSmallestSlack).select(slack.max(kSmallestSlack).rsqrt(), 0.0).matrix();
  // With A = V diag(values) V^T, root = V diag(factor) V^T and W = V^T L^-1.
  const Eigen::MatrixXd W = denseProduct(eigen.vectors.transpose().eval(), L_inverse);
  const Eigen::VectorXd weighted = factor.cwiseProduct(eigen.values);
  Contribution contribution;
  contribution.seen = denseProduct(eigen.vectors, weighted.asDiagonal() * W);
  contribution.variance = W.cwiseAbs2().transpose() * factor.cwiseProduct(weighted);
  const Eigen::VectorXd along =
      eigen.vectors.transpose() * (L_inverse * (cluster.g - cluster.G * beta));
  contribution.deviation = L_inverse.transpose() * (eigen.vectors * factor.cwiseProduct(along));
  return contribution;
}

// For white noise of unit variance: expected value of the sandwich variance of one parameter
// relative to the true variance, and its degrees of freedom.
struct Reference {
  double share = 0.0, degrees_of_freedom = 0.0;
};

// Of parameter k, whose direction is l = L^-1 e_k. Let w_b = (1 - A_b)^(-1/2) l for cluster b, and
// D the matrix with the columns A_b w_b. For white noise the covariance of the clusters'
// contributions is Omega = diag(w_b^T A_b w_b) - D^T D. Its trace relative to |l|^2 is the share of
// the variance, and trace^2 / |Omega|^2 are the degrees of freedom (Satterthwaite).
Reference reference(const std::vector<Contribution>& clusters,
                    const Eigen::MatrixXd& L_inverse,
                    Eigen::Index k) {
  const auto count = std::ssize(clusters);
  Eigen::MatrixXd seen(L_inverse.rows(), count);
  Eigen::VectorXd variance(count);
  for (Eigen::Index b = 0; b < count; ++b) {
    seen.col(b) = clusters[b].seen.col(k);
    variance(b) = clusters[b].variance(k);
  }
  Eigen::MatrixXd omega = -denseGram(seen);
  omega.diagonal() += variance;
  const double trace = omega.trace();
  Reference result;
  result.share = trace / L_inverse.col(k).squaredNorm();
  result.degrees_of_freedom =
      trace > 0.0 ? std::max(1.0, trace * trace / omega.squaredNorm()) : 0.0;
  return result;
}

// The covariance for one set of clusters.
struct Sandwich {
  Eigen::MatrixXd matrix;
  // Infinite variance: a single cluster determines the parameter
  Eigen::VectorXd variance, degrees_of_freedom;
};

// The sum of d_g d_g^T over all clusters, with each parameter's variance divided by the share that
// the clusters can show. With fewer than two clusters all variances are infinite.
Sandwich sandwich(const std::vector<Normal>& normals,
                  const Eigen::VectorXd& beta,
                  const Eigen::MatrixXd& L_inverse,
                  const std::vector<ColumnGroup>& groups,
                  int threads) {
  const Eigen::Index q = beta.size(), count = std::ssize(normals);
  Sandwich result{Eigen::MatrixXd::Zero(q, q),
                  Eigen::VectorXd::Constant(q, kInfinite),
                  Eigen::VectorXd::Zero(q)};
  if (count < 2) return result;
  Eigen::MatrixXd deviations(count, q);
  Eigen::VectorXd correction = Eigen::VectorXd::Zero(q);
  for (const ColumnGroup& group : groups) {
    const std::vector<Eigen::Index>& columns = group.columns;
    const Eigen::MatrixXd group_inverse = L_inverse(columns, columns);
    std::vector<Contribution> clusters(normals.size());
    parallelFor(static_cast<int>(count), threads, [&](int b) {
      clusters[b] = contribution({normals[b].G(columns, columns), normals[b].g(columns), false},
                                 beta(columns),
                                 group_inverse);
    });
    for (Eigen::Index b = 0; b < count; ++b)
      deviations(b, columns) = clusters[b].deviation.transpose();
    for (Eigen::Index k = 0; k < std::ssize(columns); ++k) {
      const Reference white = reference(clusters, group_inverse, k);
      if (white.share < kSmallestShare) continue;
      correction(columns[k]) = 1.0 / std::sqrt(white.share);
      result.degrees_of_freedom(columns[k]) = white.degrees_of_freedom;
    }
  }
  result.matrix = correction.asDiagonal() * denseGram(deviations) * correction.asDiagonal();
  for (Eigen::Index k = 0; k < q; ++k)
    if (correction(k) > 0.0) result.variance(k) = result.matrix(k, k);
  return result;
}

// Takes for every parameter the larger variance and its degrees of freedom.
void takeLarger(const Sandwich& other, Sandwich& result) {
  for (Eigen::Index k = 0; k < result.variance.size(); ++k) {
    if (!(other.variance(k) > result.variance(k))) continue;
    const double growth = std::isfinite(other.variance(k)) && result.variance(k) > 0.0
                              ? std::sqrt(other.variance(k) / result.variance(k))
                              : 0.0;
    result.matrix.row(k) *= growth;
    result.matrix.col(k) *= growth;
    if (result.variance(k) == 0.0 && std::isfinite(other.variance(k)))
      result.matrix(k, k) = other.variance(k);
    result.variance(k) = other.variance(k);
    result.degrees_of_freedom(k) = other.degrees_of_freedom(k);
  }
}

// Parameters that the logs determine only together with unexcited ones have a known combination,
// but no known value of their own.
void forgetCombined(const Estimate& estimate, Eigen::VectorXd& std_dev) {
  std_dev(estimate.combined).setConstant(kInfinite);
}

// Positions of the excited parameters. The others remain zero and have infinite variance.
std::vector<Eigen::Index> excited(const Estimate& estimate) {
  std::vector<Eigen::Index> kept;
  for (Eigen::Index c = 0; c < std::ssize(estimate.columns); ++c)
    if (!std::binary_search(
            estimate.unexcited.begin(), estimate.unexcited.end(), static_cast<int>(c)))
      kept.push_back(c);
  return kept;
}

// Independent groups of the kept parameters.
std::vector<ColumnGroup> groupsOf(const Statistics& statistics,
                                  const Estimate& estimate,
                                  const std::vector<Eigen::Index>& kept) {
  std::vector<int> columns;
  for (const Eigen::Index c : kept) columns.push_back(estimate.columns[c]);
  std::vector<std::vector<std::pair<int, int>>> shared;
  for (const ChannelStatistics& channel : statistics.channels)
    shared.push_back(sharedColumns(channel, columns));
  return independentGroups(shared, std::ssize(columns));
}

Covariance withoutVariance(Eigen::Index p) {
  Covariance covariance;
  covariance.matrix = Eigen::MatrixXd::Zero(p, p);
  covariance.std_dev = covariance.half_width = Eigen::VectorXd::Constant(p, kInfinite);
  covariance.degrees_of_freedom = Eigen::VectorXd::Zero(p);
  return covariance;
}

void requireLabels(const std::vector<int>& labels, int blocks) {
  if (!labels.empty() && std::ssize(labels) != blocks)
    throw std::invalid_argument(std::to_string(labels.size()) +
                                " labels; expected one per block, " + std::to_string(blocks));
}

}  // namespace

Eigen::VectorXd whiteNoiseStdDev(const Estimate& estimate) {
  const std::vector<Eigen::Index> kept = excited(estimate);
  const Eigen::MatrixXd R = denseUpperFactor(estimate.R(Eigen::all, kept));
  const auto q = std::ssize(kept);
  // The columns of (R^T)^-1 are the rows of R^-1.
  const Eigen::MatrixXd inverse =
      denseSolveLower(R.topRows(q).transpose(), Eigen::MatrixXd::Identity(q, q));
  Eigen::VectorXd std_dev = Eigen::VectorXd::Constant(std::ssize(estimate.columns), kInfinite);
  std_dev(kept) = inverse.colwise().norm().transpose();
  forgetCombined(estimate, std_dev);
  return std_dev;
}

Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const BlockClusters& clusters,
                               int threads) {
  requireLabels(clusters.time, statistics.numBlocks());
  requireLabels(clusters.phase, statistics.numBlocks());
  std::vector<int> time = clusters.time;
  if (time.empty()) {
    time.resize(statistics.block_log.size());
    std::iota(time.begin(), time.end(), 0);
  }
  Covariance covariance = withoutVariance(std::ssize(estimate.columns));
  const std::vector<Eigen::Index> kept = excited(estimate);
  const auto normals_of = [&](const std::vector<int>& labels) {
    std::vector<Normal> normals = clusterNormals(statistics, estimate, labels, threads);
    for (Normal& normal : normals)
      normal = {Eigen::MatrixXd(normal.G(kept, kept)), Eigen::VectorXd(normal.g(kept)), false};
    return normals;
  };
  const std::vector<Normal> in_time = normals_of(time);
  if (in_time.size() < 2 || estimate.rows <= estimate.rank || kept.empty()) return covariance;

  const auto q = std::ssize(kept);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(q, q);
  for (const Normal& normal : in_time) G += normal.G;
  const Eigen::VectorXd scale = G.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd L = scale.asDiagonal() * G * scale.asDiagonal();
  if (!denseCholesky(L)) return covariance;
  const Eigen::MatrixXd L_inverse =
      denseSolveLower(L, Eigen::MatrixXd::Identity(q, q)) * scale.asDiagonal();

  const Eigen::VectorXd beta = estimate.beta(kept);
  const std::vector<ColumnGroup> groups = groupsOf(statistics, estimate, kept);
  Sandwich variance = sandwich(in_time, beta, L_inverse, groups, threads);
  if (!clusters.phase.empty())
    takeLarger(sandwich(normals_of(clusters.phase), beta, L_inverse, groups, threads), variance);

  covariance.matrix(kept, kept) = variance.matrix;
  for (Eigen::Index k = 0; k < q; ++k) {
    const Eigen::Index c = kept[k];
    covariance.degrees_of_freedom(c) = variance.degrees_of_freedom(k);
    if (!std::isfinite(variance.variance(k))) continue;
    covariance.std_dev(c) = std::sqrt(variance.variance(k));
    covariance.half_width(c) =
        covariance.std_dev(c) *
        boost::math::quantile(boost::math::students_t(variance.degrees_of_freedom(k)), 0.975);
  }
  forgetCombined(estimate, covariance.std_dev);
  forgetCombined(estimate, covariance.half_width);
  return covariance;
}

Eigen::MatrixXd effortContributions(const Estimate& estimate) {
  const auto p = std::ssize(estimate.columns), channels = std::ssize(estimate.weighted_channels);
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(p, channels);
  for (Eigen::Index a = 0; a < channels; ++a) {
    const WeightedRows& rows = *estimate.weighted_channels[a];
    const Eigen::MatrixXd& R = rows.factor.R();
    const Eigen::VectorXd product =
        R.leftCols(R.cols() - 1).transpose() * R.rightCols<1>() / std::pow(estimate.sigma(a), 2);
    for (Eigen::Index c = 0; c < std::ssize(rows.columns); ++c) {
      const auto place =
          std::lower_bound(estimate.columns.begin(), estimate.columns.end(), rows.columns[c]);
      products(place - estimate.columns.begin(), a) = product(c);
    }
  }
  const std::vector<Eigen::Index> kept = excited(estimate);
  const Eigen::MatrixXd columns = estimate.R(Eigen::all, kept);
  const Eigen::VectorXd scale = columns.colwise().norm().cwiseInverse();
  const Eigen::MatrixXd R =
      denseUpperFactor(columns * scale.asDiagonal()).topRows(std::ssize(kept));
  const Eigen::MatrixXd half = R.transpose().triangularView<Eigen::Lower>().solve(
      Eigen::MatrixXd(scale.asDiagonal() * products(kept, Eigen::all)));
  Eigen::MatrixXd contributions = Eigen::MatrixXd::Zero(p, channels);
  contributions(kept, Eigen::all) =
      scale.asDiagonal() * R.triangularView<Eigen::Upper>().solve(half);
  return contributions;
}

void addEffortFactors(const Estimate& estimate,
                      const EffortFactors& factors,
                      Covariance& covariance) {
  const Eigen::MatrixXd C = effortContributions(estimate).leftCols(factors.log_covariance.cols());
  const Eigen::MatrixXd added = C * factors.log_covariance * C.transpose();
  covariance.matrix += added;
  const double quantile =
      boost::math::quantile(boost::math::students_t(factors.degrees_of_freedom), 0.975);
  const Eigen::VectorXd std_dev = added.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Eigen::Index c = 0; c < std_dev.size(); ++c) {
    covariance.std_dev(c) = std::hypot(covariance.std_dev(c), std_dev(c));
    covariance.half_width(c) = std::hypot(covariance.half_width(c), quantile * std_dev(c));
  }
}

}  // namespace dynid
