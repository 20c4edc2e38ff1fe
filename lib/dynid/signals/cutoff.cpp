#include "dynid/signals/cutoff.h"

#include "dynid/core/text.h"
#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/decimate.h"
#include "dynid/signals/prefilter.h"
#include "dynid/signals/spectrum.h"
#include "dynid/signals/timing_errors.h"

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
// A stretch at the noise of this share of the sample rate is the end of the motion, if it reaches
// beyond the highest cut-off.
constexpr double kWideGap = 0.1;
// Where efforts were low-passed before they were saved, the cut-off is at least this many times the
// frequency below which 95 % of the motion is: below it too few independent samples are left.
constexpr double kLeastTimesDriven = 1.3;
// A slow motion in a short log has a higher cut-off than E(f) asks for: the one that leaves so many
// independent samples, at most kSlowMotionHz, if the noise below it is at most this share of the
// acceleration.
constexpr double kEnoughSamples = 2.0 * kFewSamples;
constexpr double kHarmlessNoise = 0.01;
// Errors of the times of rows are looked for if the position noise is more than this share of the
// acceleration, and at least so many joints move: other noise is taken for them with fewer.
constexpr double kLittleNoise = 0.03;
constexpr Index kFewestForTimes = 3;
constexpr double kLeftWithoutTiming = 0.5;  // of the squared acceleration
constexpr double kFilteredAlike = 10.0;  // the least drop of position noise that was filtered too

/// The value whose rank is nearest to the given share.
double quantileOf(std::vector<double> values, double share) {
  if (values.empty()) return kNaN;
  const long rank = std::lround(share * static_cast<double>(values.size() - 1));
  return nthSmallest(std::move(values), static_cast<std::size_t>(rank));
}

constexpr Index kRowsOfSpectrum = 18;

/// Second differences. Their spectral leakage decreases fast enough to resolve a floor 1e-12 below
/// the motion.
std::vector<MatrixXd> secondDifferences(std::span<const MatrixXd> positions) {
  std::vector<MatrixXd> pieces;
  for (const MatrixXd& Q : positions) {
    if (Q.rows() < kRowsOfSpectrum) continue;
    const Index n = Q.rows() - 2;
    pieces.push_back(Q.topRows(n) - 2.0 * Q.middleRows(1, n) + Q.bottomRows(n));
  }
  return pieces;
}

/// The rows of the efforts at which there are second differences.
std::vector<MatrixXd> innerRows(std::span<const MatrixXd> efforts) {
  std::vector<MatrixXd> pieces;
  for (const MatrixXd& effort : efforts)
    if (effort.rows() >= kRowsOfSpectrum) pieces.push_back(effort.middleRows(1, effort.rows() - 2));
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
  double floor = 0.0;        ///< of the position, unit^2 / Hz
  double mostly_hz = 0.0;    ///< below it lies 95 % of the energy of the speed
  double entirely_hz = 0.0;  ///< the same, 99.9 %
  double quiet_hz = 0.0;     ///< below it the share of the noise is at most kHarmlessNoise
  double noise_share = 0.0;  ///< of the noise in the acceleration below the cut-off
  double fast_share = 0.0;   ///< of its square, above kSlowMotionHz
};

/// The bin up to which `share` of the sum lies.
Index binCarrying(double share, const VectorXd& density) {
  const double carried = share * density.sum();
  Index end = 0;
  for (double seen = density(0); end + 1 < density.size() && seen < carried;)
    seen += density(++end);
  return end;
}

/// The spectrum of the second differences of all joints.
struct MotionSpectrum {
  Spectrum of_differences;
  VectorXd shape;  ///< |1 - e^{jw}|^4, that of the second difference of white noise
  double fresh_rate_hz = 0.0;

  /// Level of the white noise of a position [unit^2 / Hz] between two frequencies. The median of a
  /// periodogram is lower than its mean (chi-square, two degrees of freedom per average).
  double noiseBetween(Index joint, double low_hz, double high_hz) const {
    std::vector<double> levels;
    for (Index k = 0; k < shape.size(); ++k)
      if (of_differences.frequency(k) > low_hz && of_differences.frequency(k) < high_hz)
        levels.push_back(of_differences.power(k, joint) / shape(k));
    return quantileOf(levels, 0.5) / std::pow(1.0 - 1.0 / (9.0 * of_differences.averages), 3);
  }
};

/// The level of the position noise. It is measured near half the sample rate, or below the
/// frequency of a filter that has removed it there.
double noiseFloor(const MotionSpectrum& spectrum, Index joint, double prefilter_hz) {
  const double rate = spectrum.fresh_rate_hz;
  const double floor = spectrum.noiseBetween(joint, 0.3 * rate, 0.48 * rate);
  if (!std::isfinite(prefilter_hz)) return floor;
  const double below = spectrum.noiseBetween(joint, 0.5 * prefilter_hz, 0.8 * prefilter_hz);
  const double above = spectrum.noiseBetween(joint, 2.0 * prefilter_hz, 4.0 * prefilter_hz);
  return below > kFilteredAlike * above ? std::max(floor, below) : floor;
}

/// The bin at which the motion ends: there E(f) (chooseCutoff) is minimal. -1: no motion.
Index endOfMotion(const MotionSpectrum& spectrum, const VectorXd& motion, double floor) {
  const VectorXd& frequency = spectrum.of_differences.frequency;
  const double rate = 2.0 * frequency(frequency.size() - 1);
  const double fresh = 0.5 * spectrum.fresh_rate_hz;
  double balance = 0.0, best = 0.0, last = 0.0;
  Index cut = -1;
  for (Index k = 0; k < frequency.size() && frequency(k) <= fresh; ++k) {
    const double excess = motion(k) - kSignalToNoise * floor * spectrum.shape(k);
    if (frequency(k) > highestCutoff(rate) && frequency(k) - last > kWideGap * rate) break;
    if (excess > 0.0) last = frequency(k);
    balance -= excess;
    if (balance < best) {
      best = balance;
      cut = k;
    }
  }
  return cut;
}

JointBand bandOf(const MotionSpectrum& spectrum,
                 Index joint,
                 double rounding_noise,
                 double prefilter_hz) {
  JointBand band;
  const VectorXd& frequency = spectrum.of_differences.frequency;
  const VectorXd& shape = spectrum.shape;
  const auto power = spectrum.of_differences.power.col(joint);
  const Index bins = frequency.size();
  band.floor = std::max(noiseFloor(spectrum, joint, prefilter_hz),
                        rounding_noise * rounding_noise / (0.5 * spectrum.fresh_rate_hz));
  const double total = power.sum();
  if (!(total > 0.0)) return band;
  VectorXd motion(bins);
  for (Index k = 0; k < bins; ++k) motion(k) = power(k) - band.floor * shape(k);
  const Index cut = endOfMotion(spectrum, motion, band.floor);
  if (cut < 0) return band;
  // Second difference divided by w^2: the spectrum of the speed up to a factor.
  const VectorXd speed = motion.head(cut + 1).cwiseQuotient(shape.head(cut + 1).cwiseSqrt());
  band.mostly_hz = frequency(binCarrying(0.95, speed));
  band.entirely_hz = frequency(binCarrying(0.999, speed));
  band.cutoff_hz = std::clamp(
      frequency(cut), kTimesDriven * band.mostly_hz, kBandsBeyondMotion * band.entirely_hz);
  double noise = 0.0, fast = 0.0, all = 0.0;
  for (Index k = 0; k < bins; ++k) {
    noise += band.floor * shape(k);
    all += power(k);
    const double share = std::sqrt(noise / all);
    if (share <= kHarmlessNoise) band.quiet_hz = frequency(k);
    if (frequency(k) > band.cutoff_hz) continue;
    if (frequency(k) > kSlowMotionHz) fast += power(k);
    band.noise_share = share;
  }
  band.fast_share = fast / all;
  return band;
}

/// The motion of all joints.
struct Motion {
  std::vector<JointBand> joints;
  std::vector<double> asked;                  ///< [Hz] cut-offs of the joints that move enough
  double mostly_hz = 0.0, entirely_hz = 0.0;  ///< largest of these joints
  std::vector<Index> moving;                  ///< these joints
  std::vector<double> least;                  ///< [Hz] kTimesDriven mostly_hz of these joints
  std::vector<double> quiet;                  ///< [Hz] JointBand::quiet_hz of these joints
  std::vector<double> noise_shares;           ///< JointBand::noise_share of these joints
  std::vector<double> fast_shares;            ///< the same of JointBand::fast_share
};

Motion motionOf(const MotionSpectrum& spectrum,
                const std::vector<bool>& moves,
                const VectorXd& rounding_noise,
                double prefilter_hz) {
  Motion motion;
  for (Index j = 0; j < std::ssize(moves); ++j) {
    const double rounding = rounding_noise.size() > 0 ? rounding_noise(j) : 0.0;
    const JointBand band = bandOf(spectrum, j, rounding, prefilter_hz);
    motion.joints.push_back(band);
    if (!std::isfinite(band.cutoff_hz) || !moves[j]) continue;
    motion.asked.push_back(band.cutoff_hz);
    motion.moving.push_back(j);
    motion.least.push_back(kTimesDriven * band.mostly_hz);
    motion.quiet.push_back(band.quiet_hz);
    motion.noise_shares.push_back(band.noise_share);
    motion.fast_shares.push_back(band.fast_share);
    motion.mostly_hz = std::max(motion.mostly_hz, band.mostly_hz);
    motion.entirely_hz = std::max(motion.entirely_hz, band.entirely_hz);
  }
  return motion;
}

/// The frequency of the filters that efforts passed before they were saved, the lower quartile of
/// those found, since each is uncertain; NaN: none.
double prefilterOf(const Motion& motion,
                   const MotionSpectrum& spectrum,
                   std::span<const MatrixXd> efforts,
                   double rate_hz,
                   bool exact_motion,
                   int threads) {
  const Spectrum effort = powerSpectrum(innerRows(efforts), rate_hz, threads);
  if (motion.asked.empty() || effort.power.rows() != spectrum.shape.size() ||
      effort.power.cols() != spectrum.of_differences.power.cols())
    return kNaN;
  const MatrixXd position =
      spectrum.of_differences.power.array().colwise() / spectrum.shape.array();
  std::vector<double> found;
  for (const double hz :
       findPrefilters(effort, position, motion.entirely_hz, spectrum.fresh_rate_hz, exact_motion))
    if (std::isfinite(hz)) found.push_back(hz);
  return found.empty() ? kNaN : nthSmallest(found, found.size() / 4);
}

struct Chosen {
  CutoffChoice choice;
  std::vector<Index> moving;  ///< joints
  double noise_share = 0.0;   ///< median of theirs (JointBand::noise_share)
  Spectrum of_differences;
};

/// Whether errors of the times of rows are most of the acceleration below the cut-off of the
/// positions as recorded, in half of the joints that move.
bool isMostlyTiming(const Chosen& recorded, const Chosen& without) {
  std::vector<double> left;
  const VectorXd& frequency = recorded.of_differences.frequency;
  Index bins = 0;
  while (bins < frequency.size() && frequency(bins) <= recorded.choice.cutoff_hz) ++bins;
  for (const Index j : recorded.moving)
    left.push_back(without.of_differences.power.col(j).head(bins).sum() /
                   recorded.of_differences.power.col(j).head(bins).sum());
  return quantileOf(left, 0.5) < kLeftWithoutTiming;
}

/// What the choice needs besides the positions (chooseCutoff).
struct Conditions {
  double rate_hz = 0.0, fresh_rate_hz = 0.0;
  std::span<const MatrixXd> efforts;
  bool exact_motion = false;
  int threads = 1;
};

/// Lowers the cut-off of rows and efforts where the efforts were low-passed before they were saved,
/// and raises it again where too few samples would be left.
/// @param lowest          [Hz]
/// @param without_filter  [Hz] the cut-off if there were no such filter
/// @param duration        [s] of all pieces
void limitByPrefilter(const Motion& motion,
                      double lowest,
                      double without_filter,
                      double duration,
                      CutoffChoice& choice) {
  if (!std::isfinite(choice.prefilter_hz)) return;
  const double limit =
      std::max({lowest, kOfPrefilter * choice.prefilter_hz, kLeastTimesDriven * motion.mostly_hz});
  const double enough = std::min(without_filter, kFewSamples / (kSamplesPerPeriod * duration));
  const double hz = std::max(std::min(limit, choice.cutoff_hz), enough);
  if (hz == choice.cutoff_hz) return;
  choice.cutoff_hz = hz;
  choice.motion_cutoff_hz = std::max(choice.motion_cutoff_hz, hz);
  choice.reason = "limited because the efforts look low-passed at about " +
                  toText(choice.prefilter_hz, 2) + " Hz before they were saved";
}

/// Raises the cut-off of a short log of a slow motion to the one that leaves kEnoughSamples, as far
/// as the noise is harmless.
/// @param highest   [Hz]
/// @param duration  [s] of all pieces
void raiseForSamples(const Motion& motion, double highest, double duration, CutoffChoice& choice) {
  const double hz = std::min({kEnoughSamples / (kSamplesPerPeriod * duration),
                              quantileOf(motion.quiet, kQuartile),
                              kSlowMotionHz,
                              highest});
  if (hz <= choice.cutoff_hz) return;
  choice.cutoff_hz = hz;
  choice.reason = "raised for more independent samples: the position noise below it is at most " +
                  toPercent(kHarmlessNoise) + " of the acceleration";
}

/// @param least_noise  [n] as rounding_noise of chooseCutoff
Chosen chosenFrom(std::span<const MatrixXd> positions,
                  const VectorXd& least_noise,
                  const Conditions& given) {
  const double rate_hz = given.rate_hz;
  CutoffChoice choice;
  const Index joints = positions.empty() ? 0 : positions.front().cols();
  choice.joint_hz = VectorXd::Constant(joints, kNaN);
  choice.noise = VectorXd::Zero(joints);
  MotionSpectrum spectrum{powerSpectrum(secondDifferences(positions), rate_hz, given.threads),
                          {},
                          std::min(rate_hz, given.fresh_rate_hz)};
  Index longest = 1, rows = 0;
  for (const MatrixXd& Q : positions) {
    longest = std::max(longest, Q.rows());
    rows += Q.rows();
  }
  const double highest = highestCutoff(spectrum.fresh_rate_hz);
  const double lowest = std::min(highest, kPeriods * rate_hz / static_cast<double>(longest));

  const VectorXd ranges = rangesOf(positions, joints);
  const double enough = std::min(kRealMotion, 0.1 * (joints > 0 ? ranges.maxCoeff() : 0.0));
  std::vector<bool> moves;
  for (const double range : ranges) moves.push_back(range >= enough);
  Motion motion;
  double without_filter = 0.0;
  if (spectrum.of_differences.averages > 0) {
    spectrum.shape =
        (2.0 * (std::numbers::pi / rate_hz * spectrum.of_differences.frequency.array()).sin())
            .pow(4.0);
    motion = motionOf(spectrum, moves, least_noise, kNaN);
    choice.prefilter_hz =
        prefilterOf(motion, spectrum, given.efforts, rate_hz, given.exact_motion, given.threads);
    without_filter = std::clamp(quantileOf(motion.asked, kQuartile), lowest, highest);
    if (std::isfinite(choice.prefilter_hz))
      motion = motionOf(spectrum, moves, least_noise, choice.prefilter_hz);
    for (Index j = 0; j < joints; ++j) {
      choice.joint_hz(j) = motion.joints[j].cutoff_hz;
      choice.noise(j) = std::sqrt(std::max(0.0, motion.joints[j].floor) * 0.5 * rate_hz);
    }
  }
  if (motion.asked.empty()) {
    choice.cutoff_hz = choice.motion_cutoff_hz = std::clamp(5.0, lowest, highest);
    choice.reason = "no motion stands out of the noise: " + toText(choice.cutoff_hz, 3) + " Hz";
    return {choice, {}, 0.0, std::move(spectrum.of_differences)};
  }
  const auto [least, most] = std::minmax_element(motion.asked.begin(), motion.asked.end());
  choice.cutoff_hz = std::clamp(quantileOf(motion.asked, kQuartile), lowest, highest);
  choice.least_hz = std::min(quantileOf(motion.least, 0.5), highest);
  choice.fast_share = quantileOf(motion.fast_shares, 0.5);
  choice.reason = "the joints' motion falls to 10 dB above its noise floor between " +
                  toText(*least, 3) + " and " + toText(*most, 3) + " Hz";
  const double duration = static_cast<double>(rows) / rate_hz;
  raiseForSamples(motion, highest, duration, choice);
  choice.motion_cutoff_hz = choice.cutoff_hz;
  limitByPrefilter(motion, lowest, without_filter, duration, choice);
  choice.lowered_by_prefilter = choice.cutoff_hz < without_filter;
  return {choice,
          motion.moving,
          quantileOf(motion.noise_shares, 0.5),
          std::move(spectrum.of_differences)};
}

}  // namespace

double highestCutoff(double rate_hz) { return kHighestShare * rate_hz; }

CutoffChoice chooseCutoff(std::span<const MatrixXd> positions,
                          double rate_hz,
                          double fresh_rate_hz,
                          const VectorXd& rounding_noise,
                          std::span<const MatrixXd> efforts,
                          bool exact_motion,
                          int threads) {
  const Conditions given{rate_hz, fresh_rate_hz, efforts, exact_motion, threads};
  const Chosen recorded = chosenFrom(positions, rounding_noise, given);
  if (recorded.noise_share < kLittleNoise || std::ssize(recorded.moving) < kFewestForTimes)
    return recorded.choice;
  std::vector<MatrixXd> timed;
  for (const MatrixXd& Q : positions) timed.push_back(withoutTimingErrors(Q, rate_hz));
  // Errors of the times raise the floor, too.
  const Chosen without = chosenFrom(timed, recorded.choice.noise, given);
  if (without.moving.empty() || !isMostlyTiming(recorded, without)) return recorded.choice;
  CutoffChoice choice = without.choice;
  choice.noise = recorded.choice.noise;
  choice.reason +=
      "; without errors that all joints have at the same time, of rows whose times are "
      "not exact";
  return choice;
}

}  // namespace dynid
