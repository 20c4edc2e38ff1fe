#include "dynid/estimation/log_agreement.h"

#include "dynid/estimation/covariance.h"
#include "dynid/estimation/residual.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace dynid {
namespace {

constexpr int kMostLogs = 16;
constexpr int kFewestBlocks = 8;   // of a log whose parts are compared
constexpr double kOutside = 0.05;  // of the probability: outside the 95 % interval
constexpr double kLargestRatio = 1.5;
// Parameters outside their intervals: share, number and smallest ratio at which logs differ. Two of
// thirteen are outside by chance in every third set of three logs.
constexpr double kLargestShare = 0.15, kFewestOutside = 4.0, kRatioWithShare = 1.2;
// Probability of a false alarm in all comparisons of all parameters
constexpr double kChance = 0.05;

// Relative pivot below which a log does not determine a parameter by itself. What is left of a
// column then consists of rounding and of errors of filtered signals: 2e-9 to 5e-5 where joints are
// jogged one after the other. They do not average out as noise does, so that the spread of the
// blocks does not show them.
constexpr double kRankTolerance = 1e-4;

// Parts of a log whose parameters differ by less than this many standard deviations of white noise
// agree: residuals of real logs are correlated, and their standard deviations larger.
constexpr double kAgreeing = 5.0;

// Residual from which differences count, relative to the effort; and the factor by which the parts
// of another split must be further apart, over their residual, than the halves.
constexpr double kLeastResidual = 1e-3, kClearerSplit = 1.5;
// Efforts by which the fits of the halves are apart, relative to the effort, from which the change
// is looked for elsewhere too: a change after a quarter also moves the fit of the first half.
constexpr double kLeastApart = 0.02;

struct SideFit {
  Estimate estimate;
  Covariance covariance;
};

// The fit of the blocks in whose groups `wanted` is true.
// @param groups  per block
template <class Wanted>
Estimate fitSide(const Statistics& statistics,
                 const std::vector<int>& groups,
                 const Estimate& whole,
                 LeastSquaresOptions options,
                 const Wanted& wanted) {
  options.leave_out.clear();
  for (int group : groups) options.leave_out.push_back(!wanted(group));
  options.sigma = whole.sigma;
  options.rank_tolerance = std::max(options.rank_tolerance, kRankTolerance);
  options.standstill_weight = whole.standstill_weight;
  return weightedLeastSquares(statistics, whole.columns, options);
}

SideFit withCovariance(const Statistics& statistics,
                       Estimate estimate,
                       const LeastSquaresOptions& options,
                       const BlockClusters& clusters) {
  SideFit side;
  side.covariance = jackknifeCovariance(statistics, estimate, clusters, options.threads);
  side.estimate = std::move(estimate);
  return side;
}

double probabilityBeyond(double deviations, double degrees_of_freedom) {
  const boost::math::students_t student(degrees_of_freedom);
  return 2.0 * boost::math::cdf(boost::math::complement(student, deviations));
}

// Columns that a fit and the rows of one of its channels share: positions in beta and in the
// factor.
std::vector<std::pair<int, int>> sharedWith(const Estimate& estimate, const WeightedRows& rows) {
  std::vector<std::pair<int, int>> shared;
  for (int k = 0; k < std::ssize(rows.columns); ++k) {
    const auto column =
        std::lower_bound(estimate.columns.begin(), estimate.columns.end(), rows.columns[k]);
    shared.emplace_back(static_cast<int>(column - estimate.columns.begin()), k);
  }
  return shared;
}

// The least noise of any channel in the residuals of a fit, relative to `estimate.sigma`.
double leastNoise(const Estimate& estimate) {
  double least = 1.0;
  for (size_t a = 0; a < estimate.weighted_channels.size(); ++a) {
    const WeightedRows& rows = *estimate.weighted_channels[a];
    if (!(rows.factor.rows() > 1.0)) continue;
    const auto shared = sharedWith(estimate, rows);
    const double rms =
        std::sqrt(squaredResidual(rows.factor, shared, estimate.beta) / rows.factor.rows());
    least = std::min(least, rms / estimate.sigma(static_cast<Eigen::Index>(a)));
  }
  return least;
}

// Whether a parameter of two fits differs by more than white noise explains.
bool mayDiffer(const Estimate& first, const Estimate& second) {
  const Eigen::ArrayXd of_first = leastNoise(first) * whiteNoiseStdDev(first).array();
  const Eigen::ArrayXd of_second = leastNoise(second) * whiteNoiseStdDev(second).array();
  const Eigen::ArrayXd std_dev = (of_first.square() + of_second.square()).sqrt();
  for (Eigen::Index k = 0; k < first.beta.size(); ++k)
    if (std::isfinite(std_dev(k)) &&
        std::abs(first.beta(k) - second.beta(k)) > kAgreeing * std_dev(k))
      return true;
  return false;
}

// The ratio that `count` parameters exceed with the given probability if the logs agree.
double largestRatio(double count, double chance) {
  const boost::math::chi_squared squares(count);
  const double beyond = boost::math::quantile(boost::math::complement(squares, chance));
  return std::max(kLargestRatio, std::sqrt(beyond / count));
}

// Compares the parameters of one log with those of the others, where both determine them by
// themselves: a payload and the link that carries it cannot be told apart in one log. Degrees of
// freedom of the difference by Welch and Satterthwaite: (v1 + v2)^2 / (v1^2 / f1 + v2^2 / f2).
// @param chance  probability of a false alarm
LogAgreement agreement(int log, const SideFit& of_log, const SideFit& others, double chance) {
  LogAgreement result;
  result.log = log;
  std::vector<ParameterDifference> all;
  std::vector<double> chances;
  double squared = 0.0, outside = 0.0;
  for (Eigen::Index k = 0; k < of_log.estimate.beta.size(); ++k) {
    const double v1 = std::pow(of_log.covariance.std_dev(k), 2);
    const double v2 = std::pow(others.covariance.std_dev(k), 2);
    if (!std::isfinite(v1) || !std::isfinite(v2) || !(v1 + v2 > 0.0)) continue;
    ParameterDifference difference;
    difference.position = static_cast<int>(k);
    difference.value = of_log.estimate.beta(k);
    difference.other_value = others.estimate.beta(k);
    difference.std_dev = std::sqrt(v1 + v2);
    difference.deviations =
        std::abs(difference.value - difference.other_value) / difference.std_dev;
    const double freedom =
        std::pow(v1 + v2, 2) / (v1 * v1 / of_log.covariance.degrees_of_freedom(k) +
                                v2 * v2 / others.covariance.degrees_of_freedom(k));
    chances.push_back(probabilityBeyond(difference.deviations, freedom));
    squared += difference.deviations * difference.deviations;
    outside += chances.back() < kOutside ? 1.0 : 0.0;
    all.push_back(difference);
  }
  result.compared = static_cast<int>(all.size());
  if (all.empty()) return result;
  const auto count = static_cast<double>(all.size());
  result.ratio = std::sqrt(squared / count);
  result.outside = outside / count;
  for (size_t i = 0; i < all.size(); ++i) all[i].significant = chances[i] * count < chance;
  std::stable_sort(
      all.begin(), all.end(), [](const ParameterDifference& x, const ParameterDifference& y) {
        return std::pair(x.significant, x.deviations) > std::pair(y.significant, y.deviations);
      });
  const auto significant = std::count_if(
      all.begin(), all.end(), [](const ParameterDifference& d) { return d.significant; });
  const bool many_outside =
      outside >= kFewestOutside && result.outside > kLargestShare && result.ratio > kRatioWithShare;
  result.differs = significant > 0 || result.ratio > largestRatio(count, chance) || many_outside;
  all.resize(std::min(all.size(), static_cast<size_t>(std::max<std::ptrdiff_t>(significant, 3))));
  result.largest = std::move(all);
  return result;
}

// Fills LogAgreement::apart and residual.
void addEffortsApart(const Estimate& whole,
                     const std::vector<const Estimate*>& sides,
                     LogAgreement& result) {
  result.apart = result.residual =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(whole.weighted_channels.size()));
  for (size_t a = 0; a < whole.weighted_channels.size(); ++a) {
    double effort = 0.0, residual = 0.0, apart = 0.0;
    for (const Estimate* side : sides) {
      const WeightedRows& rows = *side->weighted_channels[a];
      const auto shared = sharedWith(*side, rows);
      effort += squaredEffort(rows.factor);
      residual += squaredResidual(rows.factor, shared, side->beta);
      Eigen::VectorXd change = Eigen::VectorXd::Zero(rows.factor.R().rows());
      for (const auto& [to, from] : shared)
        change += rows.factor.R().col(from) * (whole.beta(to) - side->beta(to));
      apart += change.squaredNorm();
    }
    const auto channel = static_cast<Eigen::Index>(a);
    result.apart(channel) = effort > 0.0 ? std::sqrt(apart / effort) : 0.0;
    result.residual(channel) = effort > 0.0 ? std::sqrt(residual / effort) : 0.0;
  }
}

}  // namespace

std::vector<LogAgreement> compareLogs(const Statistics& statistics,
                                      const Estimate& estimate,
                                      const LeastSquaresOptions& options,
                                      const BlockClusters& clusters) {
  const std::set<int> logs(statistics.block_log.begin(), statistics.block_log.end());
  std::vector<LogAgreement> result;
  if (logs.size() < 2 || logs.size() > kMostLogs) return result;
  const double comparisons = logs.size() == 2 ? 1.0 : static_cast<double>(logs.size());
  for (int log : logs) {
    const auto fit = [&](const auto& wanted) {
      return withCovariance(statistics,
                            fitSide(statistics, statistics.block_log, estimate, options, wanted),
                            options,
                            clusters);
    };
    const SideFit of_log = fit([&](int other) { return other == log; });
    const SideFit others = fit([&](int other) { return other != log; });
    LogAgreement compared = agreement(log, of_log, others, kChance / comparisons);
    addEffortsApart(estimate, {&of_log.estimate, &others.estimate}, compared);
    if (compared.compared > 0) result.push_back(std::move(compared));
    if (logs.size() == 2) break;
  }
  return result;
}

std::optional<LogAgreement> compareParts(const Statistics& statistics,
                                         const Estimate& estimate,
                                         const LeastSquaresOptions& options,
                                         const BlockClusters& clusters) {
  const int blocks = statistics.numBlocks();
  const std::set<int> logs(statistics.block_log.begin(), statistics.block_log.end());
  if (logs.size() != 1 || blocks < kFewestBlocks) return std::nullopt;
  LeastSquaresOptions as_weighted = options;
  as_weighted.block_weights = estimate.block_weights;
  as_weighted.weight_passes = 0;
  std::optional<LogAgreement> best;
  std::pair<Estimate, Estimate> parts;
  double furthest = 0.0;
  for (const int quarters : {2, 1, 3}) {
    const bool more = best && best->apart.maxCoeff() > kLeastApart && blocks >= 2 * kFewestBlocks;
    if (quarters != 2 && !more) break;
    std::vector<int> part;
    for (int block = 0; block < blocks; ++block)
      part.push_back(4 * block < quarters * blocks ? 0 : 1);
    const auto fit = [&](int wanted) {
      return fitSide(
          statistics, part, estimate, as_weighted, [&](int group) { return group == wanted; });
    };
    Estimate first = fit(0), second = fit(1);
    if (!mayDiffer(first, second)) continue;
    LogAgreement split;
    split.split = 0.25 * quarters;
    addEffortsApart(estimate, {&first, &second}, split);
    const double apart =
        (split.apart.array() / split.residual.array().max(kLeastResidual)).maxCoeff();
    if (best && apart < kClearerSplit * furthest) continue;
    best = std::move(split);
    parts = {std::move(first), std::move(second)};
    furthest = apart;
  }
  if (!best) return std::nullopt;
  const auto with_covariance = [&](Estimate& side) {
    return withCovariance(statistics, std::move(side), options, clusters);
  };
  const SideFit first = with_covariance(parts.first), second = with_covariance(parts.second);
  LogAgreement compared = agreement(0, first, second, kChance);
  if (compared.compared == 0) return std::nullopt;
  compared.split = best->split;
  compared.apart = std::move(best->apart);
  compared.residual = std::move(best->residual);
  return compared;
}

}  // namespace dynid
