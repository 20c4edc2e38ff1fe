#include "dynid/signals/prefilter.h"

#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kOctave = 3;              // bands per octave
constexpr double kFall = 12.0;            // dB in two octaves, beyond the slope before the knee
constexpr double kDeep = 30.0;            // dB from the knee to the highest frequency
constexpr double kLastFall = 9.0;         // dB in the highest octave: no floor of noise
constexpr double kDeepToFloor = 50.0;     // dB, where there is a floor (of rounding)
constexpr double kFarFromMotion = 8.0;    // times the driven frequency
constexpr double kLeastBefore = 5.0;      // dB per octave: jumps of friction fall by 6
constexpr double kSteepestBefore = 10.0;  // dB in the octave below the knee
constexpr double kHighestKnee = 0.2;      // of the rate
constexpr double kHighestBand = 0.45;     // of the rate: above are anti-aliasing and interpolation
constexpr double kBeyondMotion = 1.5;     // times the driven frequency
constexpr double kExplained = -10.0;      // dB: part of the effort that may be motion
constexpr double kNoiseFall = 6.0;        // dB per octave: position noise, not motion
constexpr double kBeginsToFall = 4.0;     // dB in a third of an octave: noise, not motion
constexpr double kJumps = 6.0;            // dB per octave: the spectrum of jumps
constexpr double kDown = 6.0;             // dB at the frequency of the filter

/// Medians of a spectrum in thirds of octaves, dB.
struct Bands {
  std::vector<double> frequency, effort, position;
  Index size() const { return std::ssize(frequency); }
};

double decibel(double power) { return 10.0 * std::log10(power + 1e-300); }

double medianOf(const VectorXd& values, Index first, Index end) {
  return median(std::vector<double>(values.data() + first, values.data() + end));
}

Bands bandsOf(const VectorXd& frequency,
              const VectorXd& effort,
              const VectorXd& position,
              double highest_hz) {
  Bands bands;
  const double ratio = std::exp2(-1.0 / kOctave);
  const double* begin = frequency.data();
  const double* end = begin + frequency.size();
  for (double high = highest_hz; high * ratio > 2.0 * frequency(0); high *= ratio) {
    const Index first = std::upper_bound(begin, end, high * ratio) - begin;
    const Index last = std::upper_bound(begin, end, high) - begin;
    if (last <= first) break;
    bands.frequency.push_back(high * std::sqrt(ratio));
    bands.effort.push_back(decibel(medianOf(effort, first, last)));
    bands.position.push_back(decibel(medianOf(position, first, last)));
  }
  std::reverse(bands.frequency.begin(), bands.frequency.end());
  std::reverse(bands.effort.begin(), bands.effort.end());
  std::reverse(bands.position.begin(), bands.position.end());
  return bands;
}

/// Whether the effort falls from band `knee` to the highest frequency, as behind a low-pass. Behind
/// the end of the motion it falls to the noise of the effort; behind a filter at most to the
/// rounding, which is far lower.
bool fallsToTheEnd(const Bands& bands, Index knee, double driven_hz) {
  const std::vector<double>& p = bands.effort;
  const double drop = p[knee] - p.back();
  const double last = p[std::max(knee, bands.size() - 1 - kOctave)] - p.back();
  const bool no_floor = last >= kLastFall;
  if (drop < kDeep) return false;
  if (!no_floor && (drop < kDeepToFloor || bands.frequency[knee] < kFarFromMotion * driven_hz))
    return false;
  // Jumps alone fall by kJumps, and a filter adds its own slope. A shelf is friction or noise that
  // passed no filter of this frequency; only the floor may be flat.
  const double floor = no_floor ? p.back() : p.back() + kLastFall;
  for (Index k = knee; k + kOctave < bands.size() && p[k] > floor; ++k)
    if (p[k] - p[k + kOctave] < kJumps) return false;
  return true;
}

/// Whether the spectrum of the effort bends down at band `knee` as that of a low-pass does.
bool isKnee(const Bands& bands, Index knee) {
  const std::vector<double>& p = bands.effort;
  const double before = std::max(kLeastBefore, p[knee - kOctave] - p[knee]);
  if (before > kSteepestBefore) return false;
  const Index end = std::min(bands.size() - 1, knee + 2 * kOctave);
  if (end < knee + kOctave) return false;
  const double octaves = static_cast<double>(end - knee) / kOctave;
  if (p[knee] - p[end] < octaves * (before + 0.5 * kFall)) return false;
  for (Index k = knee + 1; k < bands.size(); ++k)
    if (k <= end ? p[k] > p[k - 1] : p[k] > p[end] + kDown) return false;
  return true;
}

/// Whether the effort below band `knee` is what the motion there needs.
bool isMotion(const Bands& bands, Index knee, double driven_hz) {
  const auto acceleration = [&](Index k) {
    return bands.position[k] + decibel(std::pow(2.0 * std::numbers::pi * bands.frequency[k], 4));
  };
  double gain = 1e300;
  for (Index k = 0; k < bands.size() && (k == 0 || bands.frequency[k] <= driven_hz); ++k)
    gain = std::min(gain, bands.effort[k] - acceleration(k));
  bool noise = bands.position[knee - kOctave] - bands.position[knee] < kNoiseFall;
  bool explained = false;
  for (Index k = knee - kOctave + 1; k <= knee; ++k)
    explained |= gain + acceleration(k) - bands.effort[k] > kExplained;
  return explained && !noise;
}

/// Whether the position has noise that passed a filter with the knee `knee`: it is flat before the
/// knee and far above its rounding. An exact motion falls steeply down to its rounding.
bool isFilteredNoise(const Bands& bands, Index knee) {
  const std::vector<double>& q = bands.position;
  return q[knee - 1] - q[knee] < kBeginsToFall && q[knee] - q.back() >= kDeep;
}

/// The frequency at which the effort has fallen by kDown below the continuation of the octave
/// before the knee, which falls like jumps of friction at most.
double frequencyOf(const Bands& bands, Index knee) {
  const std::vector<double>& p = bands.effort;
  const double slope = std::clamp(p[knee - kOctave] - p[knee], 0.0, kJumps) / kOctave;
  double middle = 0.0;  // level one band below the knee, the middle of the octave
  for (Index k = knee - kOctave + 1; k <= knee; ++k) middle += p[k] / kOctave;
  const auto below = [&](Index k) {
    return middle - slope * static_cast<double>(k - knee + 1) - p[k];
  };
  Index k = knee;
  while (k + 1 < bands.size() && below(k) < kDown) ++k;
  const double from = below(k - 1), to = below(k);
  const double share = std::clamp((kDown - from) / std::max(to - from, 1e-9), 0.0, 1.0);
  return bands.frequency[k - 1] * std::pow(bands.frequency[k] / bands.frequency[k - 1], share);
}

}  // namespace

VectorXd findPrefilters(const Spectrum& effort,
                        const Eigen::MatrixXd& position,
                        double driven_hz,
                        double fresh_rate_hz,
                        bool exact_motion) {
  const double lowest_hz = kBeyondMotion * driven_hz;
  const double without_noise_hz = exact_motion ? kFarFromMotion * driven_hz : lowest_hz;
  VectorXd found = VectorXd::Constant(effort.power.cols(), kNaN);
  for (Index j = 0; j < found.size(); ++j) {
    const Bands bands = bandsOf(
        effort.frequency, effort.power.col(j), position.col(j), kHighestBand * fresh_rate_hz);
    for (Index knee = kOctave; knee < bands.size() && std::isnan(found(j)); ++knee) {
      const double hz = bands.frequency[knee];
      if (hz < lowest_hz || hz > kHighestKnee * fresh_rate_hz) continue;
      if (isKnee(bands, knee) && fallsToTheEnd(bands, knee, driven_hz) &&
          !isMotion(bands, knee, driven_hz) &&
          (hz >= without_noise_hz || isFilteredNoise(bands, knee)))
        found(j) = frequencyOf(bands, knee);
    }
  }
  return found;
}

}  // namespace dynid
