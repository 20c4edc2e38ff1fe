#include "dynid/signals/cutoff.h"

#include "dynid/core/text.h"
#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSignalToNoise = 10.0;
// Bounds of the cut-off from the spectrum of the speed: at least 3 times the frequency below which
// 95 % of its energy lies, at most 15 times that of 99.9 %.
constexpr double kTimesDriven = 3.0;
constexpr double kBandsBeyondMotion = 15.0;
constexpr double kRealMotion = 0.01;  // rad or m: joints that move less are ignored
constexpr double kPeriods = 10.0;     // periods of the cut-off in the longest piece, at least
constexpr double kQuartile = 0.25;
constexpr double kHighestShare = 0.2;  // of the sample rate

/// The value whose rank is nearest to the given share.
double quantileOf(std::vector<double> values, double share) {
  if (values.empty()) return kNaN;
  const long rank = std::lround(share * static_cast<double>(values.size() - 1));
  return nthSmallest(std::move(values), static_cast<std::size_t>(rank));
}

/// Second differences. Their spectral leakage decreases fast enough to resolve a floor 1e-12 below
/// the motion.
std::vector<MatrixXd> secondDifferences(std::span<const MatrixXd> positions) {
  std::vector<MatrixXd> pieces;
  for (const MatrixXd& Q : positions) {
    if (Q.rows() < 18) continue;
    const Index n = Q.rows() - 2;
    pieces.push_back(Q.topRows(n) - 2.0 * Q.middleRows(1, n) + Q.bottomRows(n));
  }
  return pieces;
}

VectorXd rangesOf(std::span<const MatrixXd> positions, Index joints) {
  VectorXd low = VectorXd::Constant(joints, std::numeric_limits<double>::infinity()), high = -low;
  for (const MatrixXd& Q : positions) {
    if (Q.rows() == 0) continue;
    low = low.cwiseMin(Q.colwise().minCoeff().transpose());
    high = high.cwiseMax(Q.colwise().maxCoeff().transpose());
  }
  return high - low;
}

struct JointBand {
  double cutoff_hz = kNaN;
  double floor = 0.0;  ///< of the position, unit^2 / Hz
};

/// The bin up to which `share` of the sum lies.
Index binCarrying(double share, const VectorXd& density) {
  const double carried = share * density.sum();
  Index end = 0;
  for (double seen = density(0); end + 1 < density.size() && seen < carried;)
    seen += density(++end);
  return end;
}

/// @param power of the second difference
/// @param shape |1 - e^{jw}|^4, the spectrum of the second difference of white noise
JointBand bandOf(const VectorXd& frequency,
                 const VectorXd& power,
                 const VectorXd& shape,
                 double averages,
                 double fresh_rate_hz,
                 double rounding_noise) {
  JointBand band;
  const Index bins = frequency.size();
  std::vector<double> high;
  for (Index k = 0; k < bins; ++k)
    if (frequency(k) > 0.3 * fresh_rate_hz && frequency(k) < 0.48 * fresh_rate_hz)
      high.push_back(power(k) / shape(k));
  // The median of a periodogram is lower than its mean (chi-square, two degrees of freedom per
  // average).
  band.floor = std::max(quantileOf(high, 0.5) / std::pow(1.0 - 1.0 / (9.0 * averages), 3),
                        rounding_noise * rounding_noise / (0.5 * fresh_rate_hz));
  const double total = power.sum();
  if (!(total > 0.0)) return band;
  VectorXd motion(bins);
  for (Index k = 0; k < bins; ++k) motion(k) = power(k) - band.floor * shape(k);
  double balance = 0.0, best = 0.0;
  Index cut = -1;
  for (Index k = 0; k < bins; ++k) {
    balance += kSignalToNoise * band.floor * shape(k) - motion(k);
    if (balance < best) {
      best = balance;
      cut = k;
    }
  }
  if (cut < 0) return band;
  // Second difference divided by w^2: the spectrum of the speed up to a factor.
  const VectorXd speed = motion.head(cut + 1).cwiseQuotient(shape.head(cut + 1).cwiseSqrt());
  band.cutoff_hz = std::clamp(frequency(cut),
                              kTimesDriven * frequency(binCarrying(0.95, speed)),
                              kBandsBeyondMotion * frequency(binCarrying(0.999, speed)));
  return band;
}

}  // namespace

double highestCutoff(double rate_hz) { return kHighestShare * rate_hz; }

CutoffChoice chooseCutoff(std::span<const MatrixXd> positions,
                          double rate_hz,
                          double fresh_rate_hz,
                          const VectorXd& rounding_noise) {
  CutoffChoice choice;
  const Index joints = positions.empty() ? 0 : positions.front().cols();
  choice.joint_hz = VectorXd::Constant(joints, kNaN);
  choice.noise = VectorXd::Zero(joints);
  const std::vector<MatrixXd> pieces = secondDifferences(positions);
  const Spectrum spectrum = powerSpectrum(pieces, rate_hz);
  Index longest = 1;
  for (const MatrixXd& Q : positions) longest = std::max(longest, Q.rows());
  const double highest = highestCutoff(rate_hz);
  const double lowest = std::min(highest, kPeriods * rate_hz / static_cast<double>(longest));

  const VectorXd ranges = rangesOf(positions, joints);
  const double enough = std::min(kRealMotion, 0.1 * (joints > 0 ? ranges.maxCoeff() : 0.0));
  std::vector<double> asked;
  if (spectrum.averages > 0) {
    const VectorXd shape =
        (2.0 * (std::numbers::pi / rate_hz * spectrum.frequency.array()).sin()).pow(4.0);
    for (Index j = 0; j < joints; ++j) {
      const JointBand band = bandOf(spectrum.frequency,
                                    spectrum.power.col(j),
                                    shape,
                                    spectrum.averages,
                                    std::min(rate_hz, fresh_rate_hz),
                                    rounding_noise.size() > 0 ? rounding_noise(j) : 0.0);
      choice.joint_hz(j) = band.cutoff_hz;
      choice.noise(j) = std::sqrt(std::max(0.0, band.floor) * 0.5 * rate_hz);
      if (std::isfinite(band.cutoff_hz) && ranges(j) >= enough) asked.push_back(band.cutoff_hz);
    }
  }
  if (asked.empty()) {
    choice.cutoff_hz = std::clamp(5.0, lowest, highest);
    choice.reason = "no motion stands out of the noise: " + toText(choice.cutoff_hz, 3) + " Hz";
    return choice;
  }
  const auto [least, most] = std::minmax_element(asked.begin(), asked.end());
  const double low = *least, high = *most;
  choice.cutoff_hz = std::clamp(quantileOf(asked, kQuartile), lowest, highest);
  choice.reason = "the joints' motion falls to 10 dB above its noise floor between " +
                  toText(low, 3) + " and " + toText(high, 3) + " Hz";
  return choice;
}

}  // namespace dynid
