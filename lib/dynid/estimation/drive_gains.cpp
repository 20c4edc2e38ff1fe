#include "dynid/estimation/drive_gains.h"

#include "dynid/estimation/least_squares.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMaxIterations = 1000;
constexpr int kNoisePasses = 4;
constexpr double kTolerance = 1e-9;  // relative decrease of the cost per iteration
// Standard deviation of ln |k| among the drives of a robot. Published gains: UR10e 0.09, TIAGo's
// arm 0.36, LWA3 0.45.
constexpr double kLogSpread = 0.69;
// Rows per independent row: residuals of real logs are correlated and systematic. The variance of
// parameters estimated from halves of a log is 4 to 23 times that of independent noise.
constexpr double kRowsPerIndependent = 20.0;
// Fixes the mean of ln |k|, which the logs do not determine if no gain is known.
constexpr double kMeanInformation = 1e6;

// One channel compressed to a triangular factor of [columns of the problem, current].
struct Channel {
  std::vector<std::pair<int, int>> shared;  // (position in `columns`, column of R)
  MatrixXd R;
  double current = 0.0;  // norm of the current, which scales the channel
  double rows = 0.0;     // independent
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
    channel.rows = std::max(total.rows() / kRowsPerIndependent, 1.0);
    channels.push_back(std::move(channel));
  }
  return channels;
}

std::vector<bool> marked(const std::vector<int>& columns, const std::vector<int>& those) {
  std::vector<bool> result;
  for (int c : columns) result.push_back(std::find(those.begin(), those.end(), c) != those.end());
  return result;
}

// The sign of a gain, from the condition that friction dissipates energy. The channel is fitted by
// itself, in units of current, where the parameters of its friction have the sign of the gain. It
// is positive unless the sum of these parameters (columns of unit norm) is below zero by several
// standard deviations.
double signOfGain(const Channel& channel, const std::vector<bool>& positive) {
  constexpr double kStandardDeviations = 3.0;
  constexpr double kForDependentColumns = 1e-12;  // added to squared norms of one
  const auto columns = std::ssize(channel.shared);
  MatrixXd A(channel.R.rows(), columns);
  VectorXd friction(columns);
  for (Index c = 0; c < columns; ++c) {
    const auto& [to, from] = channel.shared[c];
    A.col(c) = channel.R.col(from).normalized();
    friction(c) = positive[to] ? 1.0 : 0.0;
  }
  MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += kForDependentColumns;
  const Eigen::LDLT<MatrixXd> factor(normal);
  const VectorXd current = channel.R.rightCols<1>();
  const VectorXd parameters = factor.solve(A.transpose() * current);
  const double evidence = friction.dot(parameters);
  const double variance = (current - A * parameters).squaredNorm() / channel.rows *
                          friction.dot(factor.solve(friction));
  return evidence < -kStandardDeviations * std::sqrt(std::max(variance, 0.0)) ? -1.0 : 1.0;
}

// Information about ln |k| that similar drives hold: sum over kinds of sum_a (y_a - mean)^2 / s^2.
MatrixXd informationOfOthers(const std::vector<bool>& prismatic) {
  const auto n = std::ssize(prismatic);
  MatrixXd information = MatrixXd::Zero(n, n);
  for (const bool kind : {false, true}) {
    VectorXd members(n);
    for (Index a = 0; a < n; ++a) members(a) = prismatic[a] == kind ? 1.0 : 0.0;
    if (members.sum() == 0.0) continue;
    information.diagonal() += members;
    information.noalias() -= members * members.transpose() / members.sum();
  }
  return information / (kLogSpread * kLogSpread);
}

// Parameters beta (columns of a single channel in units of current) and y = ln |k|.
struct Point {
  VectorXd beta, y;
};

// Sum of squares at a point, and its Gauss-Newton approximation over (beta, y).
struct Quadratic {
  double cost = 0.0;
  VectorXd gradient;
  MatrixXd G;
};

// The least-squares problem that is bilinear in (beta, 1 / k).
class Bilinear {
 public:
  Bilinear(const std::vector<Channel>& channels, const DriveGainProblem& problem)
      : channels_(channels),
        of_channel_(marked(problem.columns, problem.channel_columns)),
        others_(informationOfOthers(problem.prismatic)),
        size_(std::ssize(problem.columns)) {
    const std::vector<bool> positive = marked(problem.columns, problem.positive);
    for (Index a = 0; a < problem.known.size(); ++a) {
      free_.push_back(!std::isfinite(problem.known(a)));
      sign_.push_back(free_[a] ? signOfGain(channels[a], positive) : 1.0);
    }
  }

  double sign(Index a) const { return sign_[a]; }

  // Residual of channel a and, if J is not null, its rows of the Jacobian by (the parameters of
  // `shared`, y_a).
  VectorXd residual(Index a, const Point& at, MatrixXd* J) const {
    const Channel& channel = channels_[a];
    const double g = free_[a] ? sign_[a] * std::exp(-at.y(a)) : 1.0;
    VectorXd rigid = VectorXd::Zero(channel.R.rows());
    VectorXd r = -channel.R.rightCols<1>();
    const auto columns = std::ssize(channel.shared);
    if (J != nullptr) *J = MatrixXd::Zero(channel.R.rows(), columns + 1);
    for (Index c = 0; c < columns; ++c) {
      const auto& [to, from] = channel.shared[c];
      VectorXd& sum = of_channel_[to] ? r : rigid;
      sum += channel.R.col(from) * at.beta(to);
      if (J != nullptr) J->col(c) = (of_channel_[to] ? 1.0 : g) * channel.R.col(from);
    }
    if (J != nullptr && free_[a]) J->col(columns) = -g * rigid;
    return r + g * rigid;
  }

  double cost(const Point& at, const VectorXd& noise) const {
    double sum = at.y.dot(others_ * at.y);
    for (Index a = 0; a < at.y.size(); ++a)
      sum += channels_[a].rows * residual(a, at, nullptr).squaredNorm() / (noise(a) * noise(a));
    return sum;
  }

  Quadratic quadratic(const Point& at, const VectorXd& noise) const {
    const Index n = at.y.size();
    Quadratic result{at.y.dot(others_ * at.y), VectorXd::Zero(size_ + n), {}};
    result.G = MatrixXd::Zero(size_ + n, size_ + n);
    result.G.bottomRightCorner(n, n) = others_;
    result.gradient.tail(n) = others_ * at.y;
    MatrixXd J;
    for (Index a = 0; a < n; ++a) {
      const double weight = std::sqrt(channels_[a].rows) / noise(a);
      const VectorXd r = weight * residual(a, at, &J);
      J *= weight;
      std::vector<Index> places;
      for (const auto& [to, from] : channels_[a].shared) places.push_back(to);
      places.push_back(size_ + a);
      result.cost += r.squaredNorm();
      result.G(places, places) += J.transpose() * J;
      result.gradient(places) += J.transpose() * r;
    }
    for (Index a = 0; a < n; ++a)
      if (!free_[a]) fix(size_ + a, result);
    return result;
  }

  // The best parameters for given gains.
  void fitParameters(Point& at, const VectorXd& noise) const {
    at.beta = VectorXd::Zero(size_);
    const Quadratic model = quadratic(at, noise);
    const MatrixXd G = model.G.topLeftCorner(size_, size_);
    const VectorXd scale = G.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    MatrixXd scaled = scale.asDiagonal() * G * scale.asDiagonal();
    scaled.diagonal().array() += 1e-12;
    at.beta = -(scale.asDiagonal() *
                scaled.ldlt().solve(scale.asDiagonal() * model.gradient.head(size_)));
  }

  // Levenberg-Marquardt with fixed noise. Returns whether it converged.
  bool solve(Point& at, const VectorXd& noise, int& iterations) const {
    double damping = 1e-3;
    for (int i = 0; i < kMaxIterations; ++i, ++iterations) {
      const Quadratic model = quadratic(at, noise);
      const VectorXd diagonal = model.G.diagonal().cwiseMax(1e-12 * model.G.diagonal().maxCoeff());
      bool accepted = false;
      double gain = 0.0;
      while (!accepted && damping < 1e12) {
        MatrixXd damped = model.G;
        damped.diagonal() += damping * diagonal;
        const VectorXd step = -damped.ldlt().solve(model.gradient);
        const Point trial{at.beta + step.head(size_), at.y + step.tail(at.y.size())};
        gain = model.cost - cost(trial, noise);
        accepted = std::isfinite(gain) && gain >= 0.0;
        damping = accepted ? std::max(damping / 5.0, 1e-12) : damping * 4.0;
        if (accepted) at = trial;
      }
      // No step lowers the cost: stationary up to rounding
      if (!accepted || gain <= kTolerance * model.cost) return true;
    }
    return false;
  }

  // Standard deviation of y due to the spread of gains among drives: C P C with the covariance C =
  // (D + P)^-1, D and P the information of the logs and of the other drives. Relative to the mean
  // if no gain is known.
  VectorXd deviationOfOthers(const Point& at, const VectorXd& noise) const {
    const Index n = at.y.size();
    MatrixXd G = quadratic(at, noise).G;
    if (std::find(free_.begin(), free_.end(), false) == free_.end())
      G.bottomRightCorner(n, n).array() += kMeanInformation / static_cast<double>(n);
    const MatrixXd inverse = G.ldlt().solve(MatrixXd::Identity(G.rows(), G.cols()).rightCols(n));
    const MatrixXd C = inverse.bottomRows(n);
    VectorXd result = (C.transpose() * others_ * C).diagonal().cwiseMax(0.0).cwiseSqrt();
    for (Index a = 0; a < n; ++a)
      if (!free_[a]) result(a) = 0.0;
    return result;
  }

 private:
  static void fix(Index i, Quadratic& quadratic) {
    quadratic.G.row(i).setZero();
    quadratic.G.col(i).setZero();
    quadratic.G(i, i) = 1.0;
    quadratic.gradient(i) = 0.0;
  }

  const std::vector<Channel>& channels_;
  std::vector<bool> of_channel_, free_;
  std::vector<double> sign_;
  MatrixXd others_;
  Index size_;
};

// ln |k| to begin with: the known gains, and their mean for the others.
VectorXd initialLogarithms(const VectorXd& known) {
  VectorXd y = VectorXd::Zero(known.size());
  double sum = 0.0, count = 0.0;
  for (const double k : known)
    if (std::isfinite(k)) sum += std::log(std::abs(k)), count += 1.0;
  for (Index a = 0; a < y.size(); ++a)
    y(a) = std::isfinite(known(a)) ? std::log(std::abs(known(a))) : sum / std::max(count, 1.0);
  return y;
}

}  // namespace

DriveGains identifyDriveGains(const Statistics& statistics, const DriveGainProblem& problem) {
  const std::vector<Channel> channels = compress(statistics, problem.columns);
  const Index n = problem.known.size();
  const Bilinear bilinear(channels, problem);
  VectorXd noise(n);
  for (Index a = 0; a < n; ++a) noise(a) = channels[a].current;
  Point at{{}, initialLogarithms(problem.known)};
  bilinear.fitParameters(at, noise);
  DriveGains result;
  for (int pass = 0; pass < kNoisePasses; ++pass) {
    result.converged = bilinear.solve(at, noise, result.iterations);
    for (Index a = 0; a < n; ++a)
      noise(a) = std::max(bilinear.residual(a, at, nullptr).norm(), 1e-6 * channels[a].current);
  }
  result.converged = result.converged && at.y.allFinite();
  result.scale_known = problem.known.array().isFinite().any();
  result.log_std_dev = bilinear.deviationOfOthers(at, noise);
  if (!result.scale_known) at.y.array() -= at.y.mean();
  result.gains.resize(n);
  for (Index a = 0; a < n; ++a)
    result.gains(a) =
        std::isfinite(problem.known(a)) ? problem.known(a) : bilinear.sign(a) * std::exp(at.y(a));
  return result;
}

}  // namespace dynid
