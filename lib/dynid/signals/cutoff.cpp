#include "dynid/signals/cutoff.h"

#include "dynid/core/text.h"
#include "dynid/signals/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSignalToNoise = 10.0;
constexpr double kBandsBeyondMotion = 10.0;
constexpr double kQuartile = 0.25;
constexpr double kHighestShare = 0.2;  // of the rate

double quantileOf(std::vector<double> values, double share) {
  if (values.empty()) return kNaN;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(
                                          share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// Second differences: their leakage falls fast enough to see a floor 1e-12 below the motion.
std::vector<MatrixXd> secondDifferences(std::span<const MatrixXd> positions) {
  std::vector<MatrixXd> pieces;
  for (const MatrixXd& Q : positions) {
    if (Q.rows() < 18) continue;
    const Index n = Q.rows() - 2;
    pieces.push_back(Q.topRows(n) - 2.0 * Q.middleRows(1, n) + Q.bottomRows(n));
  }
  return pieces;
}

struct JointBand {
  double cutoff_hz = kNaN;
  double floor = 0.0;  ///< of the position, unit^2 / Hz
};

/// \param power of the second difference, \param shape |1 - e^{jw}|^4: the second difference of
/// white noise
JointBand bandOf(const VectorXd& frequency,
                 const VectorXd& power,
                 const VectorXd& shape,
                 double fresh_rate_hz) {
  JointBand band;
  const Index bins = frequency.size();
  std::vector<double> high;
  for (Index k = 0; k < bins; ++k)
    if (frequency(k) > 0.3 * fresh_rate_hz && frequency(k) < 0.48 * fresh_rate_hz)
      high.push_back(power(k) / shape(k));
  band.floor = quantileOf(high, 0.5);
  const double total = power.sum();
  if (!(total > 0.0)) return band;
  VectorXd motion(bins);
  for (Index k = 0; k < bins; ++k) motion(k) = power(k) - band.floor * shape(k);
  double balance = 0.0, best = 0.0, seen = 0.0;
  Index cut = -1;
  for (Index k = 0; k < bins; ++k) {
    balance += kSignalToNoise * band.floor * shape(k) - motion(k);
    if (balance < best) {
      best = balance;
      cut = k;
    }
  }
  if (cut < 0) return band;
  const double carried = motion.head(cut + 1).sum();
  Index end = 0;
  for (; end < cut && seen + motion(end) < 0.99 * carried; ++end) seen += motion(end);
  band.cutoff_hz = std::min(frequency(cut), kBandsBeyondMotion * frequency(end));
  return band;
}

}  // namespace

CutoffChoice chooseCutoff(std::span<const MatrixXd> positions,
                          double rate_hz,
                          double fresh_rate_hz) {
  CutoffChoice choice;
  const Index joints = positions.empty() ? 0 : positions.front().cols();
  choice.joint_hz = VectorXd::Constant(joints, kNaN);
  choice.noise = VectorXd::Zero(joints);
  const std::vector<MatrixXd> pieces = secondDifferences(positions);
  const Spectrum spectrum = powerSpectrum(pieces, rate_hz);
  Index longest = 1;
  for (const MatrixXd& Q : positions) longest = std::max(longest, Q.rows());
  const double highest = kHighestShare * rate_hz;
  const double lowest = std::min(highest, 2.0 * rate_hz / static_cast<double>(longest));

  std::vector<double> asked;
  if (spectrum.averages > 0) {
    const VectorXd shape =
        (2.0 * (std::numbers::pi / rate_hz * spectrum.frequency.array()).sin()).pow(4.0);
    for (Index j = 0; j < joints; ++j) {
      const JointBand band = bandOf(
          spectrum.frequency, spectrum.power.col(j), shape, std::min(rate_hz, fresh_rate_hz));
      choice.joint_hz(j) = band.cutoff_hz;
      choice.noise(j) = std::sqrt(std::max(0.0, band.floor) * 0.5 * rate_hz);
      if (std::isfinite(band.cutoff_hz)) asked.push_back(band.cutoff_hz);
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
  choice.reason = "the joints' motion sinks to 10 dB above its noise floor between " +
                  toText(low, 3) + " and " + toText(high, 3) + " Hz";
  return choice;
}

}  // namespace dynid
