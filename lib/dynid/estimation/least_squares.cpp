#include "dynid/estimation/least_squares.h"

#include "dynid/core/parallel.h"
#include "dynid/estimation/column_groups.h"
#include "dynid/math/quantile.h"
#include "dynid/math/solve_at_rank.h"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

// Compresses the rows of a channel over all its blocks, with the given weights of the blocks.
TriangularFactor compressed(const ChannelStatistics& channel,
                            const std::vector<std::pair<int, int>>& shared,
                            const Eigen::RowVectorXd& weights,
                            double standstill_weight,
                            const TriangularFactor* similar) {
  struct Block {
    const TriangularFactor* factor;
    std::vector<Eigen::Index> filled;
    double weight;
  };
  std::vector<Block> blocks;
  Eigen::Index count = 0;
  double rows = 0.0;
  for (size_t b = 0; b < channel.moving.size(); ++b) {
    const auto add = [&](const TriangularFactor& factor, double relative_weight) {
      const double weight = relative_weight * weights(b);
      if (factor.rows() == 0.0 || weight == 0.0) return;
      blocks.push_back({&factor, filledRows(factor), weight});
      count += std::ssize(blocks.back().filled);
      rows += factor.rows();
    };
    add(channel.moving[b], 1.0);
    add(channel.standstill[b], standstill_weight);
  }
  const auto q = std::ssize(shared);
  Eigen::MatrixXd stack(count, q + 1);
  Eigen::Index first = 0;
  for (const Block& block : blocks) {
    const Eigen::MatrixXd& R = block.factor->R();
    const auto height = std::ssize(block.filled);
    const auto copy = [&](Eigen::Index from, Eigen::Index to) {
      auto column = stack.col(to).segment(first, height);
      Eigen::Index row = 0;
      for (; row < height && block.filled[row] <= from; ++row)
        column(row) = block.weight * R(block.filled[row], from);
      column.tail(height - row).setZero();
    };
    for (Eigen::Index c = 0; c < q; ++c) copy(shared[c].second, c);
    copy(R.cols() - 1, q);
    first += height;
  }
  TriangularFactor factor(q + 1);
  factor.add(stack, rows, similar);
  return factor;
}

// The weighted rows of a channel: `known` if they are the same, else computed.
std::shared_ptr<const WeightedRows> weightedRows(const ChannelStatistics& channel,
                                                 const std::vector<std::pair<int, int>>& shared,
                                                 const Eigen::RowVectorXd& weights,
                                                 double standstill_weight,
                                                 const std::shared_ptr<const WeightedRows>& known) {
  std::vector<int> columns;
  for (const auto& [place, in_channel] : shared) columns.push_back(channel.columns[in_channel]);
  const bool same_columns = known != nullptr && known->columns == columns;
  if (same_columns && known->weights == weights && known->standstill_weight == standstill_weight)
    return known;
  const TriangularFactor* similar = same_columns ? &known->factor : nullptr;
  return std::make_shared<const WeightedRows>(
      WeightedRows{std::move(columns),
                   weights,
                   standstill_weight,
                   compressed(channel, shared, weights, standstill_weight, similar)});
}

using SharedColumns = std::vector<std::vector<std::pair<int, int>>>;

// Triangular factor of the rows of a group's channels, each divided by the sigma of its channel,
// over the group's columns and the effort.
TriangularFactor groupFactor(const WeightedChannels& channels,
                             const SharedColumns& shared,
                             const Eigen::VectorXd& sigma,
                             const ColumnGroup& group) {
  Eigen::Index count = 0;
  for (const Eigen::Index a : group.channels) count += channels[a]->factor.R().rows();
  const auto q = std::ssize(group.columns);
  Eigen::MatrixXd stack = Eigen::MatrixXd::Zero(count, q + 1);
  Eigen::Index first = 0;
  double rows = 0.0;
  for (const Eigen::Index a : group.channels) {
    const Eigen::MatrixXd R = channels[a]->factor.R() / sigma(a);
    auto block = stack.middleRows(first, R.rows());
    Eigen::Index place = 0;  // in the group: both are in ascending order
    for (Eigen::Index c = 0; c < std::ssize(shared[a]); ++c) {
      while (group.columns[place] != shared[a][c].first) ++place;
      block.col(place) = R.col(c);
    }
    block.col(q) = R.rightCols<1>();
    first += R.rows();
    rows += channels[a]->factor.rows();
  }
  TriangularFactor factor(q + 1);
  factor.add(stack, rows);
  return factor;
}

// Triangular factor of the rows of all channels over all columns and the effort. Groups keep the
// order of the columns, so that their factors take their places in an upper triangle.
TriangularFactor whitenedFactor(const WeightedChannels& channels,
                                const SharedColumns& shared,
                                const std::vector<ColumnGroup>& groups,
                                const Eigen::VectorXd& sigma,
                                Eigen::Index p) {
  if (groups.size() == 1) return groupFactor(channels, shared, sigma, groups.front());
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(p + 1, p + 1);
  double rows = 0.0, residual_squared = 0.0;
  for (const ColumnGroup& group : groups) {
    const TriangularFactor factor = groupFactor(channels, shared, sigma, group);
    const Eigen::MatrixXd R_group = factor.squareR();
    const auto q = std::ssize(group.columns);
    R(group.columns, group.columns) = R_group.topLeftCorner(q, q);
    R(group.columns, p) = R_group.topRightCorner(q, 1);
    residual_squared += R_group(q, q) * R_group(q, q);
    rows += factor.rows();
  }
  R(p, p) = std::sqrt(residual_squared);
  return rows > 0.0 ? TriangularFactor::fromUpper(std::move(R), rows) : TriangularFactor(p + 1);
}

// R with columns scaled to unit norm, and the norms. Columns without information stay zero; their
// norm is set to infinity.
Eigen::MatrixXd unitColumns(const Eigen::MatrixXd& R, Eigen::VectorXd& scale) {
  scale = R.colwise().norm();
  const double largest = scale.size() > 0 ? scale.maxCoeff() : 0.0;
  for (double& value : scale)
    if (!(value > 1e-300 + 1e-15 * largest)) value = std::numeric_limits<double>::infinity();
  return R * scale.cwiseInverse().asDiagonal();
}

// The rows of R11^-1 R12 that are not zero: the columns within the rank (in the order of the
// pivots) of which the columns beyond it are combinations.
std::vector<Eigen::Index> columnsOfCombinations(
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr) {
  constexpr double kZero = 1e-6;
  const Eigen::Index rank = qr.rank(), beyond = qr.cols() - rank;
  std::vector<Eigen::Index> rows;
  if (beyond == 0 || rank == 0) return rows;
  const Eigen::MatrixXd combination =
      qr.matrixR()
          .topLeftCorner(rank, rank)
          .triangularView<Eigen::Upper>()
          .solve(Eigen::MatrixXd(qr.matrixR().topRightCorner(rank, beyond)));
  for (Eigen::Index r = 0; r < rank; ++r)
    if (combination.row(r).cwiseAbs().maxCoeff() > kZero) rows.push_back(r);
  return rows;
}

// Solves R beta = z by column-pivoted QR on unit-norm columns. Parameters of columns beyond the
// rank are zero.
void solve(const std::vector<ColumnGroup>& groups, double tolerance, Estimate& estimate) {
  Eigen::VectorXd scale;
  const Eigen::MatrixXd unit = unitColumns(estimate.R, scale);
  estimate.beta.resize(estimate.R.cols());
  estimate.rank = 0;
  estimate.unexcited.clear();
  estimate.combined.clear();
  for (const ColumnGroup& group : groups) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(unit(group.columns, group.columns));
    qr.setThreshold(tolerance);
    const Eigen::Index rank = qr.rank();
    estimate.beta(group.columns) = scale(group.columns)
                                       .cwiseInverse()
                                       .cwiseProduct(solveAtRank(qr, estimate.z(group.columns)));
    estimate.rank += static_cast<int>(rank);
    for (Eigen::Index c = rank; c < qr.cols(); ++c)
      estimate.unexcited.push_back(
          static_cast<int>(group.columns[qr.colsPermutation().indices()(c)]));
    for (const Eigen::Index c : columnsOfCombinations(qr))
      estimate.combined.push_back(
          static_cast<int>(group.columns[qr.colsPermutation().indices()(c)]));
  }
  std::sort(estimate.unexcited.begin(), estimate.unexcited.end());
  std::sort(estimate.combined.begin(), estimate.combined.end());
}

void leaveOut(const LeastSquaresOptions& options, BlockWeights& weights) {
  for (size_t b = 0; b < options.leave_out.size(); ++b)
    if (options.leave_out[b]) weights.col(b).setZero();
}

// Updates the channel noise from the residuals of the moving rows (the degrees of freedom are
// divided in proportion to the rows) and the robust block weights.
void updateWeights(const Statistics& statistics,
                   const std::vector<std::vector<std::pair<int, int>>>& shared,
                   const LeastSquaresOptions& options,
                   Estimate& estimate) {
  const double freedom =
      estimate.rows > estimate.rank ? estimate.rows / (estimate.rows - estimate.rank) : 1.0;
  const Eigen::VectorXd effort = channelEffort(statistics);
  for (size_t a = 0; a < statistics.channels.size(); ++a) {
    const ChannelStatistics& channel = statistics.channels[a];
    std::vector<double> rms(channel.moving.size(), 0.0), present;
    for (size_t b = 0; b < channel.moving.size(); ++b) {
      if (channel.moving[b].rows() < 2.0) continue;
      rms[b] = std::sqrt(squaredResidual(channel.moving[b], shared[a], estimate.beta) /
                         channel.moving[b].rows());
      present.push_back(rms[b]);
    }
    const double typical = present.empty() ? 0.0 : median(present);
    double squared = 0.0, rows = 0.0;
    for (size_t b = 0; b < channel.moving.size(); ++b) {
      double& weight = estimate.block_weights(a, b);
      weight = options.robust && typical > 0.0 && rms[b] > options.huber * typical
                   ? std::sqrt(options.huber * typical / rms[b])
                   : 1.0;
      squared += weight * weight * rms[b] * rms[b] * channel.moving[b].rows();
      rows += channel.moving[b].rows();
    }
    // A channel that fits up to rounding (simulated data) must not dominate the others.
    const double floor = 1e-12 * effort(a) + 1e-300;
    if (rows > 0.0 && options.sigma.size() == 0)
      estimate.sigma(a) = std::max(std::sqrt(freedom * squared / rows), floor);
  }
  if (options.sigma.size() == 0)
    limitNoiseRange(statistics, options.noise_range, options.typical_effort, estimate.sigma);
}

}  // namespace

std::vector<Eigen::Index> filledRows(const TriangularFactor& factor) {
  constexpr double kRounding = 1e-15;
  const Eigen::MatrixXd& R = factor.R();
  // Entries above these count. A column of zeros has none.
  Eigen::VectorXd least(R.cols());
  for (Eigen::Index c = 0; c < R.cols(); ++c) {
    const double norm = R.col(c).head(std::min(c + 1, R.rows())).norm();
    least(c) = norm > std::numeric_limits<double>::min() ? kRounding * norm
                                                         : std::numeric_limits<double>::infinity();
  }
  std::vector<Eigen::Index> filled;
  for (Eigen::Index row = 0; row < R.rows(); ++row)
    for (Eigen::Index c = row; c < R.cols(); ++c)  // mostly the first one is enough
      if (std::abs(R(row, c)) > least(c)) {
        filled.push_back(row);
        break;
      }
  return filled;
}

double conditionNumber(const Statistics& statistics, const Estimate& estimate) {
  if (!estimate.unexcited.empty() || estimate.R.cols() == 0)
    return std::numeric_limits<double>::infinity();
  std::vector<std::vector<std::pair<int, int>>> shared;
  for (const ChannelStatistics& channel : statistics.channels)
    shared.push_back(sharedColumns(channel, estimate.columns));
  Eigen::VectorXd scale;
  const Eigen::MatrixXd unit = unitColumns(estimate.R, scale);
  double largest = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (const ColumnGroup& group : independentGroups(shared, std::ssize(estimate.columns))) {
    const Eigen::VectorXd s =
        Eigen::JacobiSVD<Eigen::MatrixXd>(unit(group.columns, group.columns)).singularValues();
    largest = std::max(largest, s(0));
    smallest = std::min(smallest, s(s.size() - 1));
  }
  return largest / smallest;
}

void limitNoiseRange(const Statistics& statistics,
                     double range,
                     const Eigen::VectorXd& typical_effort,
                     Eigen::VectorXd& sigma) {
  if (!std::isfinite(range)) return;
  Eigen::VectorXd size = channelEffort(statistics);
  double largest = 0.0;
  for (Eigen::Index a = 0; a < sigma.size(); ++a) {
    if (typical_effort.size() > 0) size(a) = std::max(size(a), typical_effort(a));
    if (size(a) > 0.0) largest = std::max(largest, sigma(a) / size(a));
  }
  sigma = sigma.cwiseMax(std::min(largest, 1.0) / range * size);
}

TriangularFactor whitenedBlocks(const Statistics& statistics,
                                const Estimate& estimate,
                                const std::vector<bool>& wanted) {
  BlockWeights weights = estimate.block_weights;
  for (size_t b = 0; b < wanted.size(); ++b)
    if (!wanted[b]) weights.col(b).setZero();
  std::vector<std::vector<std::pair<int, int>>> shared;
  WeightedChannels rows;
  for (size_t a = 0; a < statistics.channels.size(); ++a) {
    shared.push_back(sharedColumns(statistics.channels[a], estimate.columns));
    rows.push_back(weightedRows(statistics.channels[a],
                                shared.back(),
                                weights.row(a),
                                estimate.standstill_weight(a),
                                nullptr));
  }
  const auto p = std::ssize(estimate.columns);
  return whitenedFactor(rows, shared, independentGroups(shared, p), estimate.sigma, p);
}

Estimate weightedLeastSquares(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const LeastSquaresOptions& options) {
  std::vector<std::vector<std::pair<int, int>>> shared;
  for (const ChannelStatistics& channel : statistics.channels)
    shared.push_back(sharedColumns(channel, columns));
  Estimate estimate;
  estimate.columns = columns;
  estimate.standstill_weight = options.standstill_weight;
  if (options.standstill_weight.size() == 0)
    estimate.standstill_weight = Eigen::VectorXd::Zero(statistics.numChannels());
  // Initial value: all channels have the same relative weight
  estimate.sigma = channelEffort(statistics);
  for (double& sigma : estimate.sigma)
    if (sigma == 0.0) sigma = 1.0;
  if (options.sigma.size() > 0) estimate.sigma = options.sigma;
  estimate.block_weights = options.block_weights;
  if (options.block_weights.size() == 0)
    estimate.block_weights =
        BlockWeights::Ones(statistics.numChannels(), std::max(statistics.numBlocks(), 1));
  const auto p = std::ssize(columns);
  const std::vector<ColumnGroup> groups = independentGroups(shared, p);
  WeightedChannels channels = options.weighted_channels;
  channels.resize(statistics.channels.size());
  for (int pass = 0; pass <= options.weight_passes; ++pass) {
    if (pass > 0) updateWeights(statistics, shared, options, estimate);
    leaveOut(options, estimate.block_weights);
    parallelFor(statistics.numChannels(), options.threads, [&](int a) {
      channels[a] = weightedRows(statistics.channels[a],
                                 shared[a],
                                 estimate.block_weights.row(a),
                                 estimate.standstill_weight(a),
                                 channels[a]);
    });
    const TriangularFactor whole = whitenedFactor(channels, shared, groups, estimate.sigma, p);
    const Eigen::MatrixXd R = whole.squareR();
    estimate.R = R.topLeftCorner(p, p);
    estimate.z = R.topRightCorner(p, 1);
    estimate.residual_squared = R(p, p) * R(p, p);
    estimate.rows = whole.rows();
    solve(groups, options.rank_tolerance, estimate);
  }
  estimate.weighted_channels = std::move(channels);
  if (estimate.rows <= estimate.rank)
    estimate.reason = "fewer rows in which joints move than parameters; record a longer log";
  return estimate;
}

}  // namespace dynid
