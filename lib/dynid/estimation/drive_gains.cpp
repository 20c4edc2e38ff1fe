#include "dynid/estimation/drive_gains.h"

#include "dynid/estimation/least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kMaxIterations = 100;
constexpr int kNoisePasses = 4;
constexpr double kTolerance = 1e-9;  // relative decrease of the cost per iteration

// One channel compressed to a triangular factor of [columns of the problem, current].
struct Channel {
  std::vector<std::pair<int, int>> shared;  // (position in `columns`, column of R)
  Eigen::MatrixXd R;
  double current = 0.0;  // norm of the current, which scales the channel
};

std::vector<Channel> compress(const Statistics& statistics, const std::vector<int>& columns) {
  std::vector<Channel> channels;
  for (const ChannelStatistics& data : statistics.channels) {
    Channel channel;
    channel.shared = sharedColumns(data, columns);
    TriangularFactor total(std::ssize(data.columns) + 1);
    for (const TriangularFactor& factor : data.moving) total.merge(factor);
    channel.R = total.squareR();
    channel.current = std::max(channel.R.rightCols<1>().norm(), 1e-300);
    channels.push_back(std::move(channel));
  }
  return channels;
}

// The least-squares problem that is bilinear in (beta, g). Columns of a single channel are
// expressed in units of current; g does not multiply their parameters.
class Bilinear {
 public:
  Bilinear(const std::vector<Channel>& channels,
           std::vector<bool> is_channel_column,
           std::vector<bool> free,
           Eigen::Index size)
      : channels_(channels),
        is_channel_column_(std::move(is_channel_column)),
        free_(std::move(free)),
        size_(size) {}

  // Residual of channel a at (beta, g) and, if J is not null, its rows of the Jacobian by (beta,
  // g).
  Eigen::VectorXd residual(size_t a,
                           const Eigen::VectorXd& beta,
                           const Eigen::VectorXd& g,
                           Eigen::MatrixXd* J) const {
    const Channel& channel = channels_[a];
    const auto i = static_cast<Eigen::Index>(a);
    Eigen::VectorXd rigid = Eigen::VectorXd::Zero(channel.R.rows());
    Eigen::VectorXd r = -channel.R.rightCols<1>();
    if (J != nullptr) *J = Eigen::MatrixXd::Zero(channel.R.rows(), size_ + g.size());
    for (const auto& [to, from] : channel.shared) {
      const bool of_channel = is_channel_column_[to];
      const double factor = of_channel ? 1.0 : g(i);
      if (of_channel)
        r += channel.R.col(from) * beta(to);
      else
        rigid += channel.R.col(from) * beta(to);
      if (J != nullptr) J->col(to) = factor * channel.R.col(from);
    }
    if (J != nullptr && free_[a]) J->col(size_ + i) = rigid;
    return r + g(i) * rigid;
  }

  double cost(const Eigen::VectorXd& beta,
              const Eigen::VectorXd& g,
              const Eigen::VectorXd& noise) const {
    double sum = 0.0;
    for (size_t a = 0; a < channels_.size(); ++a)
      sum += residual(a, beta, g, nullptr).squaredNorm() / (noise(a) * noise(a));
    return sum;
  }

  // Levenberg-Marquardt with fixed noise. Returns whether it converged.
  bool solve(Eigen::VectorXd& beta,
             Eigen::VectorXd& g,
             const Eigen::VectorXd& noise,
             int& iterations) const {
    double damping = 1e-3, standing = cost(beta, g, noise);
    for (int i = 0; i < kMaxIterations; ++i, ++iterations) {
      Eigen::MatrixXd G = Eigen::MatrixXd::Zero(size_ + g.size(), size_ + g.size()), J;
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(G.rows());
      for (size_t a = 0; a < channels_.size(); ++a) {
        const double weight = 1.0 / noise(a);
        const Eigen::VectorXd r = weight * residual(a, beta, g, &J);
        J *= weight;
        G.noalias() += J.transpose() * J;
        gradient.noalias() += J.transpose() * r;
      }
      const Eigen::VectorXd diagonal = G.diagonal().cwiseMax(1e-12 * G.diagonal().maxCoeff());
      bool accepted = false;
      while (!accepted && damping < 1e12) {
        Eigen::MatrixXd damped = G;
        damped.diagonal() += damping * diagonal;
        const Eigen::VectorXd step = -damped.ldlt().solve(gradient);
        const Eigen::VectorXd beta_new = beta + step.head(size_), g_new = g + step.tail(g.size());
        const double reached = cost(beta_new, g_new, noise);
        accepted = std::isfinite(reached) && reached <= standing;
        damping = accepted ? std::max(damping / 5.0, 1e-12) : damping * 4.0;
        if (!accepted) continue;
        const double gain = standing - reached;
        beta = beta_new;
        g = g_new;
        standing = reached;
        if (gain <= kTolerance * standing) return true;
      }
      if (!accepted) return true;  // no step lowers the cost: stationary up to rounding
    }
    return false;
  }

 private:
  const std::vector<Channel>& channels_;
  std::vector<bool> is_channel_column_, free_;
  Eigen::Index size_;
};

// Signed sum over channels of the contributions of the columns that must be positive; its sign is
// the common sign of the gains.
double signEvidence(const std::vector<Channel>& channels,
                    const Eigen::VectorXd& beta,
                    const Eigen::VectorXd& k,
                    const std::vector<int>& columns,
                    const std::vector<int>& positive) {
  double evidence = 0.0;
  for (size_t a = 0; a < channels.size(); ++a)
    for (const auto& [to, from] : channels[a].shared)
      if (std::find(positive.begin(), positive.end(), columns[to]) != positive.end())
        evidence += std::copysign(1.0, k(a)) * beta(to) * channels[a].R.col(from).norm() /
                    channels[a].current;
  return evidence;
}

// Smallest singular vector of [X | -diag(i)] over (beta, k). It is biased by the noise of the
// currents, but has the right signs and magnitudes.
Eigen::VectorXd initialGains(const std::vector<Channel>& channels,
                             Eigen::Index size,
                             Eigen::VectorXd& beta) {
  const auto n = std::ssize(channels);
  TriangularFactor stack(size + n);
  for (Eigen::Index a = 0; a < n; ++a) {
    const Channel& channel = channels[a];
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(channel.R.rows(), size + n);
    for (const auto& [to, from] : channel.shared) rows.col(to) = channel.R.col(from);
    rows.col(size + a) = channel.R.rightCols<1>() / channel.current;
    stack.add(rows);
  }
  const Eigen::MatrixXd R = stack.squareR(), S = R.bottomRightCorner(n, n);
  const Eigen::VectorXd smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(S.transpose() * S).eigenvectors().col(0);
  Eigen::VectorXd k(n), bounded(n);
  for (Eigen::Index a = 0; a < n; ++a) {
    bounded(a) = std::copysign(std::max(std::abs(smallest(a)), 1e-3), smallest(a));
    k(a) = bounded(a) / channels[a].current;
  }
  const Eigen::VectorXd target = R.topRightCorner(size, n) * bounded;
  beta = R.topLeftCorner(size, size).colPivHouseholderQr().solve(target);
  return k;
}

}  // namespace

DriveGains identifyDriveGains(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const std::vector<int>& channel_columns,
                              const std::vector<int>& positive,
                              const Eigen::VectorXd& known) {
  const std::vector<Channel> channels = compress(statistics, columns);
  const auto size = std::ssize(columns);
  const Eigen::Index n = known.size();
  std::vector<bool> is_channel_column, free;
  for (int c : columns)
    is_channel_column.push_back(std::find(channel_columns.begin(), channel_columns.end(), c) !=
                                channel_columns.end());
  for (Eigen::Index a = 0; a < n; ++a) free.push_back(!std::isfinite(known(a)));
  DriveGains result;
  result.scale_known = known.array().isFinite().any();
  Eigen::VectorXd beta;
  Eigen::VectorXd k = initialGains(channels, size, beta);
  // The common factor; channels with a known gain are already in torque, so their k is one
  double anchor = 0.0;
  for (Eigen::Index a = 0; a < n && anchor == 0.0; ++a)
    if (std::isfinite(known(a))) anchor = k(a);
  if (anchor == 0.0) anchor = std::exp(k.array().abs().log().mean());
  k /= anchor;
  beta /= anchor;
  for (size_t a = 0; a < channels.size(); ++a)
    // Columns of one channel: in units of current
    for (const auto& [to, from] : channels[a].shared)
      if (is_channel_column[to]) beta(to) /= k(a);
  Eigen::VectorXd g = k.cwiseInverse(), noise(n);
  for (Eigen::Index a = 0; a < n; ++a) {
    if (std::isfinite(known(a))) g(a) = 1.0;
    noise(a) = channels[a].current;
  }
  const Bilinear problem(channels, is_channel_column, free, size);
  for (int pass = 0; pass < kNoisePasses; ++pass) {
    result.converged = problem.solve(beta, g, noise, result.iterations);
    for (size_t a = 0; a < channels.size(); ++a)
      noise(a) = std::max(problem.residual(a, beta, g, nullptr).norm(), 1e-6 * channels[a].current);
  }
  k = g.cwiseInverse();
  result.converged = result.converged && k.allFinite();
  if (!result.scale_known) {
    k /= std::exp(k.array().abs().log().mean());
    if (signEvidence(channels, beta, k, columns, positive) < 0.0) k = -k;
  }
  for (Eigen::Index a = 0; a < n; ++a)
    if (std::isfinite(known(a))) k(a) = known(a);
  result.gains = k;
  return result;
}

}  // namespace dynid
