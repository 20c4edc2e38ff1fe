#include "dynid/identification/sensor_fits.h"

#include "dynid/estimation/least_squares.h"
#include "dynid/estimation/residual.h"
#include "dynid/model/error_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

namespace dynid {
namespace {

constexpr int kComponents = 6;  // (f, n)

/// Squared norms of one component over its rows.
struct ComponentSums {
  double rows = 0.0, measured = 0.0, residual = 0.0;
  double contributions = 0.0;  ///< of the single parameters
};

ComponentSums componentSums(const ChannelStatistics& channel,
                            const std::vector<int>& columns,
                            const Eigen::VectorXd& beta) {
  const ChannelSums sums = movingSums(channel, columns, beta);
  ComponentSums component{sums.rows, sums.squared_effort, sums.squared_residual, 0.0};
  for (const auto& [to, from] : sharedColumns(channel, columns))
    for (const TriangularFactor& factor : channel.moving)
      if (factor.rows() > 0.0)
        component.contributions += std::pow(beta(to), 2) * factor.R().col(from).squaredNorm();
  return component;
}

/// The squared norm to which the components [first, first + 3) are compared.
double squaredSize(const std::array<ComponentSums, kComponents>& sums, int first) {
  constexpr double kNothingMeasured = 1e-6;  // of the contributions
  double measured = 0.0, contributions = 0.0;
  for (int k = first; k < first + 3; ++k) {
    measured += sums[k].measured;
    contributions += sums[k].contributions;
  }
  return measured > kNothingMeasured * contributions ? measured : contributions;
}

double largestError(const std::array<ComponentSums, kComponents>& sums, int first, double size) {
  constexpr double kSmallComponent = 0.25 * 0.25;
  double largest = 0.0;
  for (int k = first; k < first + 3; ++k)
    if (sums[k].residual > 0.0)
      largest = std::max(
          largest,
          std::sqrt(sums[k].residual / std::max(sums[k].measured, kSmallComponent * size)));
  return largest;
}

Statistics channelsOf(const Statistics& statistics, int first, int count) {
  Statistics some = statistics;
  some.channels.assign(statistics.channels.begin() + first,
                       statistics.channels.begin() + first + count);
  return some;
}

/// The noise of channels in a fit of their own rows, at least 0.3 % of what they measure.
Eigen::VectorXd noiseOf(const Statistics& statistics, const std::vector<int>& columns) {
  constexpr double kLeastSensorNoise = 3e-3;
  std::vector<int> own;
  for (const int column : columns)
    if (std::any_of(statistics.channels.begin(), statistics.channels.end(), [&](const auto& c) {
          return std::binary_search(c.columns.begin(), c.columns.end(), column);
        }))
      own.push_back(column);
  LeastSquaresOptions options;
  options.robust = false;
  return weightedLeastSquares(statistics, own, options)
      .sigma.cwiseMax(kLeastSensorNoise * channelEffort(statistics))
      .cwiseMax(std::numeric_limits<double>::min());
}

/// The statistics with the measured forces and moments of a sensor as the columns of two factors,
/// which are the last ones of the layout:  Y pi - factor measured = 0.
Statistics withFactors(const Statistics& statistics, int first) {
  Statistics scaled = statistics;
  for (int k = 0; k < kComponents; ++k) {
    ChannelStatistics& channel = scaled.channels[first + k];
    channel.columns.push_back(statistics.layout_size + k / 3);
    for (TriangularFactor& factor : channel.moving) {
      Eigen::MatrixXd R = Eigen::MatrixXd::Zero(factor.R().rows(), factor.columns() + 1);
      R.leftCols(factor.columns()) = factor.R();
      R.col(factor.columns() - 1) *= -1.0;
      factor = factor.rows() > 0.0 ? TriangularFactor::fromRows(R, factor.rows())
                                   : TriangularFactor(R.cols());
    }
    channel.standstill.assign(channel.moving.size(),
                              TriangularFactor(std::ssize(channel.columns) + 1));
  }
  scaled.layout_size += 2;
  return scaled;
}

double squaredResidualOf(const Estimate& estimate) {
  return (estimate.R * estimate.beta - estimate.z).squaredNorm() + estimate.residual_squared;
}

/// The factors (force, moment) that fit best; NaN: not determined.
std::array<double, 2> fittedFactors(const Statistics& statistics,
                                    std::vector<int> columns,
                                    int first,
                                    const LeastSquaresOptions& options) {
  const auto place = static_cast<int>(columns.size());
  columns.insert(columns.end(), {statistics.layout_size, statistics.layout_size + 1});
  const Estimate fit = weightedLeastSquares(withFactors(statistics, first), columns, options);
  std::array<double, 2> factors;
  for (int k = 0; k < 2; ++k) {
    const bool unknown =
        std::binary_search(fit.unexcited.begin(), fit.unexcited.end(), place + k) ||
        std::binary_search(fit.combined.begin(), fit.combined.end(), place + k);
    factors[k] = unknown ? std::nan("") : fit.beta(place + k);
  }
  return factors;
}

/// Multiplies what the six channels measured, and their noise.
void applyFactors(const std::array<double, 2>& factors,
                  int first,
                  Statistics& statistics,
                  Eigen::VectorXd& noise) {
  for (int k = 0; k < kComponents; ++k) {
    for (TriangularFactor& factor : statistics.channels[first + k].moving)
      factor.scaleLastColumn(factors[k / 3]);
    noise(first + k) *= std::abs(factors[k / 3]);
  }
}

/// The errors of forces and moments with these values of the columns.
std::array<double, 2> errorsOf(const Statistics& statistics,
                               int first,
                               const std::vector<int>& columns,
                               const Eigen::VectorXd& beta) {
  constexpr double kSensorReach = 0.1;  // m
  std::array<ComponentSums, kComponents> sums;
  for (int k = 0; k < kComponents; ++k)
    sums[k] = componentSums(statistics.channels[first + k], columns, beta);
  const double force = squaredSize(sums, 0);
  const double moment = std::max(squaredSize(sums, 3), kSensorReach * kSensorReach * force);
  return {largestError(sums, 0, force), largestError(sums, 3, moment)};
}

/// Finds factors of the sensor that explain it and the joints much better.
void addFactors(const Statistics& statistics,
                const std::vector<int>& columns,
                int first,
                int joints,
                SensorFit& sensor) {
  constexpr double kWorthAFactor = 0.5;  // of the squared residual
  constexpr double kLeastFactor = 1e-4;  // N mm and mV are not below
  LeastSquaresOptions options;
  options.robust = false;
  options.weight_passes = 0;
  options.sigma = Eigen::VectorXd::Ones(statistics.numChannels());
  options.sigma.head(joints) = noiseOf(channelsOf(statistics, 0, joints), columns);
  options.sigma.segment(first, kComponents) =
      noiseOf(channelsOf(statistics, first, kComponents), columns);
  Statistics used = statistics;  // other sensors may be wrong as well
  for (int a = joints; a < statistics.numChannels(); ++a)
    if (a < first || a >= first + kComponents)
      for (TriangularFactor& factor : used.channels[a].moving)
        factor = TriangularFactor(factor.columns());
  const double plain = squaredResidualOf(weightedLeastSquares(used, columns, options));
  const std::array<double, 2> factors = fittedFactors(used, columns, first, options);
  for (const double factor : factors)
    if (!(std::abs(factor) > kLeastFactor)) return;
  applyFactors(factors, first, used, options.sigma);
  const Estimate scaled = weightedLeastSquares(used, columns, options);
  const std::array<double, 2> errors = errorsOf(used, first, columns, scaled.beta);
  if (!(squaredResidualOf(scaled) < kWorthAFactor * plain) ||
      !(std::max(errors[0], errors[1]) < kDoubtfulError))
    return;
  sensor.force_factor = factors[0];
  sensor.moment_factor = factors[1];
}

std::vector<std::string> channelNames(const Recordings& recordings, const Equations& equations) {
  std::vector<std::string> names;
  if (equations.with_bodies)
    for (const BodySensor& sensor : distinctSensors(recordings))
      names.push_back("bodies/" + sensor.link + "/wrench");
  if (equations.with_base) names.emplace_back("base/wrench");
  return names;
}

}  // namespace

std::vector<SensorFit> sensorFits(const Recordings& recordings,
                                  const Regression& regression,
                                  const Statistics& statistics,
                                  const Eigen::VectorXd& parameters) {
  const std::vector<int>& columns = regression.base.independent;
  const Eigen::VectorXd beta = regression.base.combination() * parameters;
  const int joints = recordings.robot->numJoints();
  std::vector<SensorFit> sensors;
  int first = joints;
  for (const std::string& name : channelNames(recordings, regression.equations)) {
    if (!sharedColumns(statistics.channels[first], columns).empty()) {
      const std::array<double, 2> errors = errorsOf(statistics, first, columns, beta);
      SensorFit sensor{.channel = name, .force_error = errors[0], .moment_error = errors[1]};
      sensor.samples = statistics.movingRows(first);
      addFactors(statistics, columns, first, joints, sensor);
      sensors.push_back(sensor);
    }
    first += kComponents;
  }
  return sensors;
}

}  // namespace dynid
