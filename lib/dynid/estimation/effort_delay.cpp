#include "dynid/estimation/effort_delay.h"

#include "dynid/core/parallel.h"
#include "dynid/kernels/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kPoints = 6;  // of the interpolation
constexpr double kLeastPivot = 1e-10;

/// The effort between two shifts: six neighbouring shifts and their weights.
struct Interpolation {
  Index first = 0;
  Eigen::Vector<double, kPoints> weights;
};

/// @param x  position in steps from the first shift
Interpolation interpolation(Index shifts, double x) {
  Interpolation at;
  at.first =
      std::clamp<Index>(static_cast<Index>(std::floor(x)) - kPoints / 2 + 1, 0, shifts - kPoints);
  for (Index i = 0; i < kPoints; ++i) {
    at.weights(i) = 1.0;
    for (Index j = 0; j < kPoints; ++j)
      if (j != i)
        at.weights(i) *= (x - static_cast<double>(at.first + j)) / static_cast<double>(i - j);
  }
  return at;
}

double residualError(const ShiftFit& fit, const Interpolation& at) {
  const auto around = fit.residual.block<kPoints, kPoints>(at.first, at.first);
  return std::max(at.weights.dot(around * at.weights), 1e-300);
}

/// A^-1 B of a symmetric A that is positive definite up to rounding errors.
MatrixXd solved(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd L = A;
  if (!denseCholesky(L)) return A.ldlt().solve(B);
  return L.transpose().triangularView<Eigen::Upper>().solve(denseSolveLower(L, B));
}

ShiftFit eliminate(const ShiftMoments& moments, Index shifts) {
  const Index p = moments.gram.rows() - shifts;
  const auto effort = moments.gram.bottomRightCorner(shifts, shifts);
  const auto product = moments.gram.topRightCorner(p, shifts);
  const VectorXd scale =
      moments.gram.diagonal().head(p).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  MatrixXd scaled = scale.asDiagonal() * moments.gram.topLeftCorner(p, p) * scale.asDiagonal();
  scaled.diagonal().array() += kLeastPivot;
  ShiftFit fit;
  fit.parameters = scale.asDiagonal() * solved(scaled, scale.asDiagonal() * product);
  fit.residual = effort - product.transpose() * fit.parameters;
  fit.rows = moments.rows;
  return fit;
}

double objective(const std::vector<ShiftFit>& fits,
                 std::span<const Index> channels,
                 Index shifts,
                 double x) {
  const Interpolation at = interpolation(shifts, x);
  double sum = 0.0;
  for (const Index channel : channels) {
    const ShiftFit& fit = fits[channel];
    sum += 0.5 * fit.rows * std::log(residualError(fit, at) / std::max(fit.rows, 1.0));
  }
  return sum;
}

/// Position of the minimum of the objective: a scan over the shifts, a finer scan around the best
/// one, and a parabola through the lowest points.
double leastPlace(const std::vector<ShiftFit>& fits,
                  std::span<const Index> channels,
                  Index shifts) {
  constexpr Index kFinePerStep = 16;
  double best = 0.0, least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < shifts; ++k) {
    const double value = objective(fits, channels, shifts, static_cast<double>(k));
    if (value < least) {
      least = value;
      best = static_cast<double>(k);
    }
  }
  const double from = std::max(0.0, best - 1.0),
               to = std::min(best + 1.0, static_cast<double>(shifts - 1));
  const VectorXd places = VectorXd::LinSpaced(2 * kFinePerStep + 1, from, to);
  const VectorXd values =
      places.unaryExpr([&](double x) { return objective(fits, channels, shifts, x); });
  Index k = 0;
  values.minCoeff(&k);
  if (k == 0 || k + 1 == values.size()) return places(k);
  const double below = values(k - 1), above = values(k + 1);
  const double bend = below - 2.0 * values(k) + above;
  const double offset = bend > 0.0 ? std::clamp(0.5 * (below - above) / bend, -0.5, 0.5) : 0.0;
  return places(k) + offset * (places(1) - places(0));
}

ShiftMoments sumWithout(const std::vector<ShiftMoments>& parts, std::size_t left_out) {
  ShiftMoments sum;
  for (std::size_t f = 0; f < parts.size(); ++f)
    if (f != left_out) sum += parts[f];
  return sum;
}

double jackknifeStdDev(const VectorXd& places) {
  const auto parts = static_cast<double>(places.size());
  return std::sqrt((parts - 1.0) / parts * (places.array() - places.mean()).square().sum());
}

/// Squared error of one part for the parameters fitted to the other parts.
double unseenError(const ShiftMoments& part, const ShiftFit& others, const Interpolation& at) {
  const Index p = others.parameters.rows();
  VectorXd combination = VectorXd::Zero(part.gram.rows());
  combination.head(p) = others.parameters.middleCols<kPoints>(at.first) * at.weights;
  combination.segment<kPoints>(p + at.first) = -at.weights;
  return std::max(0.0, combination.dot(part.gram * combination));
}

/// Places in the joined gram of the columns and efforts of every channel.
struct JoinedPlaces {
  std::vector<std::vector<Index>> of_channel;
  Index size = 0;
};

JoinedPlaces joinedPlaces(const std::vector<std::vector<ShiftMoments>>& channels,
                          const std::vector<std::vector<int>>& parameters,
                          Index shifts) {
  JoinedPlaces joined;
  for (const std::vector<int>& of_channel : parameters)
    for (const int parameter : of_channel)
      joined.size = std::max<Index>(joined.size, parameter + 1);
  for (std::size_t a = 0; a < channels.size(); ++a) {
    std::vector<Index> places(parameters[a].begin(), parameters[a].end());
    while (std::ssize(places) < channels[a].front().gram.rows() - shifts)
      places.push_back(joined.size++);
    joined.of_channel.push_back(std::move(places));
  }
  for (std::vector<Index>& places : joined.of_channel)
    for (Index k = 0; k < shifts; ++k) places.push_back(joined.size + k);
  joined.size += shifts;
  return joined;
}

/// Replaces the efforts at all shifts by that at one of them, `delay` steps from the middle.
void holdEffort(double delay, Index shifts, ShiftMoments& moments) {
  const Interpolation at = interpolation(shifts, 0.5 * static_cast<double>(shifts - 1) + delay);
  const Index p = moments.gram.rows() - shifts;
  MatrixXd combination = MatrixXd::Identity(p + shifts, p + shifts);
  combination.bottomRightCorner(shifts, shifts).setZero();
  combination.block(p + at.first, p, kPoints, shifts).colwise() = Eigen::VectorXd(at.weights);
  moments.gram = combination.transpose() * moments.gram * combination;
}

/// Sum of the moments of all channels, each multiplied by a weight.
ShiftMoments weightedSum(const std::vector<ShiftMoments>& channels,
                         const JoinedPlaces& joined,
                         const VectorXd& weights) {
  ShiftMoments sum{MatrixXd::Zero(joined.size, joined.size), 0.0};
  for (std::size_t a = 0; a < channels.size(); ++a) {
    const std::vector<Index>& places = joined.of_channel[a];
    sum.gram(places, places) += weights(static_cast<Index>(a)) * channels[a].gram;
    sum.rows += channels[a].rows;
  }
  return sum;
}

/// Number of eigenvalues of the gram of the columns, scaled to unit norm, above rounding error.
Index rankOfColumns(const ShiftMoments& moments, Index shifts) {
  constexpr double kLeastEigenvalue = 1e-9;  // relative to the largest
  const Index p = moments.gram.rows() - shifts;
  if (p == 0) return 0;
  const VectorXd scale =
      moments.gram.diagonal().head(p).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const MatrixXd scaled =
      scale.asDiagonal() * moments.gram.topLeftCorner(p, p) * scale.asDiagonal();
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  return (values.array() > kLeastEigenvalue * values.maxCoeff()).count();
}

}  // namespace

JoinedChannels joinChannels(std::vector<std::vector<ShiftMoments>> channels,
                            const std::vector<std::vector<int>>& parameters,
                            Index shifts,
                            const VectorXd& held,
                            double reference) {
  constexpr int kRounds = 3;
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  for (Index a = 0; a < held.size(); ++a)
    if (std::isfinite(held(a)))
      for (ShiftMoments& part : channels[a]) holdEffort(held(a), shifts, part);
  const JoinedPlaces joined = joinedPlaces(channels, parameters, shifts);
  std::vector<ShiftMoments> sums;
  for (const std::vector<ShiftMoments>& channel : channels)
    sums.push_back(sumWithout(channel, kNone));
  const Index reference_shift =
      std::clamp<Index>((shifts - 1) / 2 + std::lround(reference), 0, shifts - 1);
  VectorXd weights(std::ssize(sums));
  for (Index a = 0; a < weights.size(); ++a) {
    const MatrixXd& gram = sums[a].gram;
    const double power =
        gram(gram.rows() - shifts + reference_shift, gram.rows() - shifts + reference_shift);
    weights(a) = power > 0.0 ? sums[a].rows / power : 0.0;
  }
  for (int round = 0; round < kRounds; ++round) {
    const VectorXd fitted =
        eliminate(weightedSum(sums, joined, weights), shifts).parameters.col(reference_shift);
    for (Index a = 0; a < weights.size(); ++a) {
      const std::vector<Index>& places = joined.of_channel[a];
      VectorXd combination = VectorXd::Zero(std::ssize(places));
      const Index p = combination.size() - shifts;
      for (Index c = 0; c < p; ++c) combination(c) = fitted(places[c]);
      combination(p + reference_shift) = -1.0;
      const double squares = combination.dot(sums[a].gram * combination);
      if (squares > 0.0) weights(a) = sums[a].rows / squares;
    }
  }
  JoinedChannels result;
  for (std::size_t f = 0; f < channels.front().size(); ++f) {
    std::vector<ShiftMoments> part;
    for (const std::vector<ShiftMoments>& channel : channels) part.push_back(channel[f]);
    result.parts.push_back(weightedSum(part, joined, weights));
  }
  return result;
}

Index JoinedChannels::rank(Index shifts) const {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  return rankOfColumns(sumWithout(parts, kNone), shifts);
}

ShiftMoments& ShiftMoments::operator+=(const ShiftMoments& other) {
  if (gram.size() == 0)
    gram = other.gram;
  else
    gram += other.gram;
  rows += other.rows;
  return *this;
}

EffortDelays::EffortDelays(std::vector<std::vector<ShiftMoments>> channels,
                           Index shifts,
                           double step,
                           int threads)
    : channels_(std::move(channels)), shifts_(shifts), step_(step) {
  if (channels_.empty() || channels_.front().size() < 2 || shifts < 7 || shifts % 2 == 0)
    throw std::invalid_argument(
        "expected channels of at least two parts and an odd number of at "
        "least 7 shifts");
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const std::size_t parts = channels_.front().size();
  fits_.resize(parts + 1);
  parallelFor(static_cast<int>(parts) + 1, threads, [&](int fit) {
    const auto f = static_cast<std::size_t>(fit);
    for (const std::vector<ShiftMoments>& channel : channels_)
      fits_[f].push_back(eliminate(sumWithout(channel, f < parts ? f : kNone), shifts));
  });
}

EffortDelay EffortDelays::of(std::span<const Index> channels) const {
  const double place = leastPlace(fits_.back(), channels, shifts_);
  EffortDelay found;
  found.delay = step_ * (place - middle());
  found.inside_range = place > 1.0 && place < static_cast<double>(shifts_ - 2);
  VectorXd places(std::ssize(fits_) - 1);
  for (Index f = 0; f < places.size(); ++f) places(f) = leastPlace(fits_[f], channels, shifts_);
  found.std_dev = step_ * jackknifeStdDev(places);
  found.error_ratio.resize(std::ssize(channels));
  for (Index k = 0; k < found.error_ratio.size(); ++k)
    found.error_ratio(k) = errorRatio(channels[k], found.delay);
  return found;
}

double EffortDelays::errorRatio(Index channel, double delay) const {
  const Interpolation removed = interpolation(shifts_, middle() + delay / step_);
  const Interpolation as_logged = interpolation(shifts_, middle());
  double with = 0.0, without = 0.0;
  for (std::size_t f = 0; f + 1 < fits_.size(); ++f) {
    with += unseenError(channels_[channel][f], fits_[f][channel], removed);
    without += unseenError(channels_[channel][f], fits_[f][channel], as_logged);
  }
  return without > 0.0 ? std::sqrt(with / without) : 1.0;
}

}  // namespace dynid
