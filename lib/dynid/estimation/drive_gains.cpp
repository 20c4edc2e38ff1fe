#include "dynid/estimation/drive_gains.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynid/estimation/least_squares.h"

namespace dynid {
namespace {

constexpr int kMaxIterations = 500;
constexpr double kTolerance = 1e-8;  // of the sum of logarithms of the channels' residuals, per iteration
constexpr double kRidge = 1e-10;  // relative to unit-norm columns

// One channel compressed to a triangle: columns of the problem, then the current.
struct Channel {
  std::vector<std::pair<int, int>> shared;  // (position in `columns`, column of R)
  Eigen::MatrixXd R;
  double current = 0.0;  // norm of the current, the channel's scale
};

std::vector<Channel> compress(const Statistics& statistics, const std::vector<int>& columns) {
  std::vector<Channel> channels;
  for (const ChannelStatistics& data : statistics.channels) {
    Channel channel;
    channel.shared = sharedColumns(data, columns);
    TriangularFactor total(static_cast<Eigen::Index>(data.columns.size()) + 1);
    for (const TriangularFactor& factor : data.moving) total.merge(factor);
    channel.R = total.R();
    channel.current = std::max(channel.R.rightCols<1>().norm(), 1e-300);
    channels.push_back(std::move(channel));
  }
  return channels;
}

// beta for given gains, every channel weighted in its own current's units.
Eigen::VectorXd solveShared(const std::vector<Channel>& channels,
                            const Eigen::VectorXd& k,
                            const Eigen::VectorXd& noise,
                            Eigen::Index size) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(size);
  for (size_t a = 0; a < channels.size(); ++a) {
    const auto i = static_cast<Eigen::Index>(a);
    const double weight = 1.0 / (std::abs(k(i)) * noise(i));
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(channels[a].R.rows(), size);
    for (const auto& [to, from] : channels[a].shared) X.col(to) = weight * channels[a].R.col(from);
    G.noalias() += X.transpose() * X;
    g.noalias() += X.transpose() * (weight * k(i) * channels[a].R.rightCols<1>());
  }
  Eigen::VectorXd scale = G.diagonal().cwiseSqrt();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  Eigen::MatrixXd scaled = scale.asDiagonal() * G * scale.asDiagonal();
  scaled.diagonal().array() += kRidge;
  return scale.asDiagonal() * scaled.ldlt().solve(scale.asDiagonal() * g);
}

// 1/k and the channel's own parameters for given shared ones; the residual's norm comes back in `residual`.
double solveGain(const Channel& channel,
                 const std::vector<bool>& is_own,
                 const Eigen::VectorXd& beta,
                 double& residual) {
  std::vector<int> own;
  Eigen::VectorXd rigid = Eigen::VectorXd::Zero(channel.R.rows());
  for (const auto& [to, from] : channel.shared) {
    if (is_own[static_cast<size_t>(to)]) {
      own.push_back(from);
    } else {
      rigid += channel.R.col(from) * beta(to);
    }
  }
  Eigen::MatrixXd X(channel.R.rows(), static_cast<Eigen::Index>(own.size()) + 1);
  X.col(0) = rigid;
  X.rightCols(static_cast<Eigen::Index>(own.size())) = channel.R(Eigen::all, own);
  Eigen::VectorXd scale = X.colwise().norm();
  for (double& s : scale) s = s > 0.0 ? 1.0 / s : 0.0;
  X = X * scale.asDiagonal();
  Eigen::MatrixXd G = X.transpose() * X;
  G.diagonal().array() += kRidge;
  const Eigen::VectorXd f = G.ldlt().solve(X.transpose() * channel.R.rightCols<1>());
  residual = (X * f - channel.R.rightCols<1>()).norm();
  return f(0) * scale(0);
}

// Sum over channels of what the columns that physics wants positive contribute, with their sign.
double signEvidence(const std::vector<Channel>& channels,
                    const Eigen::VectorXd& beta,
                    const std::vector<int>& columns,
                    const std::vector<int>& positive) {
  double evidence = 0.0;
  for (const Channel& channel : channels)
    for (const auto& [to, from] : channel.shared)
      if (std::find(positive.begin(), positive.end(), columns[static_cast<size_t>(to)]) != positive.end())
        evidence += beta(to) * channel.R.col(from).norm() / channel.current;
  return evidence;
}

// Smallest singular vector of [X | -diag(i)] (beta, k): biased by the noise of the currents, but right in signs and sizes.
Eigen::VectorXd initialGains(const std::vector<Channel>& channels, Eigen::Index size) {
  const auto n = static_cast<Eigen::Index>(channels.size());
  TriangularFactor stack(size + n);
  for (Eigen::Index a = 0; a < n; ++a) {
    const Channel& channel = channels[static_cast<size_t>(a)];
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(channel.R.rows(), size + n);
    for (const auto& [to, from] : channel.shared) rows.col(to) = channel.R.col(from);
    rows.col(size + a) = channel.R.rightCols<1>() / channel.current;
    stack.add(rows);
  }
  const Eigen::MatrixXd S = stack.R().bottomRightCorner(n, n);
  const Eigen::VectorXd smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(S.transpose() * S).eigenvectors().col(0);
  Eigen::VectorXd k(n);
  for (Eigen::Index a = 0; a < n; ++a) {
    const double bounded = std::copysign(std::max(std::abs(smallest(a)), 1e-3), smallest(a));
    k(a) = bounded / channels[static_cast<size_t>(a)].current;
  }
  return k;
}

}  // namespace

DriveGains identifyDriveGains(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const std::vector<int>& own,
                              const std::vector<int>& positive,
                              const Eigen::VectorXd& known) {
  const std::vector<Channel> channels = compress(statistics, columns);
  const auto size = static_cast<Eigen::Index>(columns.size());
  const Eigen::Index n = known.size();
  std::vector<bool> is_own;
  for (int c : columns) is_own.push_back(std::find(own.begin(), own.end(), c) != own.end());
  DriveGains result;
  result.scale_known = known.array().isFinite().any();
  Eigen::VectorXd k = initialGains(channels, size);
  double anchor = 0.0;  // channels with a known gain hold torque already: their k is one
  for (Eigen::Index a = 0; a < n; ++a)
    if (std::isfinite(known(a))) anchor = anchor == 0.0 ? k(a) : anchor;
  if (anchor != 0.0) k /= anchor;
  Eigen::VectorXd noise(n);
  for (Eigen::Index a = 0; a < n; ++a) noise(a) = channels[static_cast<size_t>(a)].current;
  double standing = std::numeric_limits<double>::infinity();
  for (; result.iterations < kMaxIterations && !result.converged; ++result.iterations) {
    for (Eigen::Index a = 0; a < n; ++a)
      if (std::isfinite(known(a))) k(a) = 1.0;
    if (!result.scale_known) k /= std::exp(k.array().abs().log().mean());
    const Eigen::VectorXd beta = solveShared(channels, k, noise, size);
    for (Eigen::Index a = 0; a < n; ++a) {
      const auto i = static_cast<size_t>(a);
      double residual = 0.0;
      const double inverse = solveGain(channels[i], is_own, beta, residual);
      noise(a) = std::max(residual, 1e-6 * channels[i].current);
      if (std::isfinite(known(a)) || inverse == 0.0) continue;
      k(a) = 1.0 / inverse;
    }
    const double reached = noise.array().log().sum();
    result.converged = standing - reached < kTolerance;
    standing = reached;
  }
  if (!result.scale_known) {
    k /= std::exp(k.array().abs().log().mean());
    if (signEvidence(channels, solveShared(channels, k, noise, size), columns, positive) < 0.0) k = -k;
  }
  for (Eigen::Index a = 0; a < n; ++a)
    if (std::isfinite(known(a))) k(a) = known(a);
  result.gains = k;
  return result;
}

}  // namespace dynid
