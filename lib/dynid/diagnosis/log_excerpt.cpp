#include "dynid/diagnosis/log_excerpt.h"

#include "dynid/core/parallel.h"
#include "dynid/diagnosis/raw_rows.h"
#include "dynid/logs/unwrap_angles.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/cutoff.h"
#include "dynid/signals/differentiate.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/motion_period.h"
#include "dynid/signals/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kSpeedShare = 0.9;  // of the power below f90
constexpr double kCutoffOverF90 = 5.0;
constexpr double kLowestCutoff = 4.0;      // [Hz]
constexpr double kHighestShare = 0.2;      // of the sampling rate
constexpr double kSpectrumCutoff = 20.0;   // [Hz]: noise above is no motion of a robot
constexpr double kMotionOverNoise = 10.0;  // of the power in a bin
constexpr double kGapSteps = 10.0;         // a longer interval splits the log
constexpr double kShortestGap = 0.1;       // [s]
constexpr Index kFewestSamples = 64;
constexpr int kParts = 20;             // of the log or of its period, assigned to the folds in turn
constexpr double kRests = 0.005;       // [rad or m]
constexpr double kStillOverRms = 0.1;  // of a joint's speed in the whole log
constexpr Index kFewestMoving = 300;   // samples; of fewer, those at standstill are fitted as well
constexpr Index kPeriodSamples = 2000;  // of a stretch, in which its period is sought

/// Rows that are finite and later than the row before.
struct CleanRows {
  std::vector<double> time;
  Eigen::MatrixXd q, effort;
};

CleanRows cleanRows(const RawSignals& window) {
  std::vector<Index> rows;
  double last = -std::numeric_limits<double>::infinity();
  for (Index r = 0; r < window.rows(); ++r) {
    if (!(window.time(r) > last) || !std::isfinite(window.time(r))) continue;
    if (!window.position.row(r).allFinite() || !window.effort.row(r).allFinite()) continue;
    last = window.time(r);
    rows.push_back(r);
  }
  CleanRows clean{{}, window.position(rows, Eigen::all), window.effort(rows, Eigen::all)};
  for (const Index r : rows) clean.time.push_back(window.time(r));
  return clean;
}

/// Values at t0 + i step, linear between the rows [begin, end).
Eigen::MatrixXd onGrid(const std::vector<double>& time,
                       const Eigen::MatrixXd& values,
                       size_t begin,
                       size_t end,
                       double step,
                       Index samples,
                       int threads) {
  std::vector<Index> row(samples);
  Eigen::VectorXd share(samples);
  size_t k = begin;
  for (Index i = 0; i < samples; ++i) {
    const double t = time[begin] + static_cast<double>(i) * step;
    while (k + 2 < end && time[k + 1] <= t) ++k;
    share(i) = std::clamp((t - time[k]) / (time[k + 1] - time[k]), 0.0, 1.0);
    row[i] = static_cast<Index>(k);
  }
  Eigen::MatrixXd grid(samples, values.cols());
  parallelFor(static_cast<int>(values.cols()), threads, [&](int c) {
    for (Index i = 0; i < samples; ++i)
      grid(i, c) = (1.0 - share(i)) * values(row[i], c) + share(i) * values(row[i] + 1, c);
  });
  return grid;
}

struct GridStretch {
  Eigen::MatrixXd q, effort;
  double begin_s = 0.0, end_s = 0.0;
};

std::vector<GridStretch> stretchesOf(const CleanRows& rows, double step, int threads) {
  std::vector<GridStretch> stretches;
  const double gap = std::max(kGapSteps * step, kShortestGap);
  size_t begin = 0;
  for (size_t r = 1; r <= rows.time.size(); ++r) {
    if (r < rows.time.size() && rows.time[r] - rows.time[r - 1] <= gap) continue;
    const double duration = rows.time[r - 1] - rows.time[begin];
    const auto samples = static_cast<Index>(std::floor(duration / step)) + 1;
    if (r - begin >= 4 && samples >= kFewestSamples)
      stretches.push_back({onGrid(rows.time, rows.q, begin, r, step, samples, threads),
                           onGrid(rows.time, rows.effort, begin, r, step, samples, threads),
                           rows.time[begin],
                           rows.time[r - 1]});
    begin = r;
  }
  return stretches;
}

/// Rounding of the positions to the steps of their encoder, as white noise.
struct Rounding {
  Eigen::VectorXd step;     ///< [channels] smallest change between consecutive rows
  Eigen::VectorXd density;  ///< [channels] of its spectrum, unit^2 / Hz
};

/// The rounding error changes as often as the position: its power lies below half of that rate.
/// @param windows  angles that were recorded modulo a turn not yet unwrapped
Rounding roundingOf(const std::vector<CleanRows>& windows, double rate, int threads) {
  const Index channels = windows.front().q.cols();
  Rounding rounding{Eigen::VectorXd::Zero(channels), Eigen::VectorXd::Zero(channels)};
  parallelFor(static_cast<int>(channels), threads, [&](int c) {
    double step = std::numeric_limits<double>::infinity(), changes = 0.0, rows = 0.0;
    for (const CleanRows& window : windows)
      for (Index r = 1; r < window.q.rows(); ++r) {
        const double change = std::abs(window.q(r, c) - window.q(r - 1, c));
        ++rows;
        if (change == 0.0) continue;
        ++changes;
        step = std::min(step, change);
      }
    if (changes == 0.0) return;
    rounding.step(c) = step;
    rounding.density(c) = step * step / 12.0 / (0.5 * rate * changes / rows);
  });
  return rounding;
}

/// Spectral density of the noise of the positions: the larger of the floor of their spectrum and
/// their rounding [channels, unit^2 / Hz].
Eigen::VectorXd positionNoise(const std::vector<GridStretch>& stretches,
                              const Rounding& rounding,
                              double rate,
                              int threads) {
  std::vector<Eigen::MatrixXd> positions;
  for (const GridStretch& stretch : stretches) positions.push_back(stretch.q);
  const Eigen::VectorXd noise = chooseCutoff(positions, rate, rate, {}, {}, false, threads).noise;
  return (noise.array().square() / (0.5 * rate)).max(rounding.density.array());
}

std::vector<Eigen::MatrixXd> speedsOf(const std::vector<GridStretch>& stretches,
                                      const Lowpass& lowpass,
                                      double rate,
                                      int threads) {
  std::vector<Eigen::MatrixXd> speeds;
  for (const GridStretch& stretch : stretches) {
    Eigen::MatrixXd q = stretch.q;
    if (lowpass.order > 0) filterZeroPhase(lowpass, q, threads);
    speeds.emplace_back(q.rows(), q.cols());
    parallelRanges(q.cols(), threads, [&](Index first, Index end) {
      speeds.back().middleCols(first, end - first) =
          firstDerivative(q.middleCols(first, end - first), 1.0 / rate);
    });
  }
  return speeds;
}

/// The frequency below which 90 % of the speed's power lies, all channels with equal weight [Hz].
/// Frequencies at which the power is not above the position noise are left out: the noise of the
/// speed rises with the square of the frequency, and with a coarse encoder it can be most of the
/// power.
double speedFrequency(const std::vector<GridStretch>& stretches,
                      const Rounding& rounding,
                      double rate,
                      int threads) {
  Lowpass lowpass;
  if (kSpectrumCutoff < 0.45 * rate) lowpass = designLowpass(2, kSpectrumCutoff, rate);
  Spectrum spectrum = powerSpectrum(speedsOf(stretches, lowpass, rate, threads), rate, threads);
  if (spectrum.averages == 0) return 0.0;
  const Eigen::RowVectorXd noise = positionNoise(stretches, rounding, rate, threads).transpose();
  for (Index k = 0; k < spectrum.frequency.size(); ++k) {
    const double f = spectrum.frequency(k);
    const double of_speed =
        2.0 * std::numbers::pi * f * (lowpass.order > 0 ? lowpass.gain(f) : 1.0);
    const Eigen::RowVectorXd floor = noise * (of_speed * of_speed);
    spectrum.power.row(k) = (spectrum.power.row(k).array() > kMotionOverNoise * floor.array())
                                .select(spectrum.power.row(k) - floor, 0.0);
  }
  const Eigen::RowVectorXd total = spectrum.power.colwise().sum().cwiseMax(1e-300);
  const Eigen::VectorXd power = (spectrum.power.array().rowwise() / total.array()).rowwise().sum();
  const double all = power.sum();
  double sum = 0.0;
  for (Index k = 0; k < power.size(); ++k) {
    sum += power(k);
    if (sum >= kSpeedShare * all) return spectrum.frequency(k);
  }
  return spectrum.frequency(spectrum.frequency.size() - 1);
}

/// LogExcerpt::rounding_share
Eigen::VectorXd roundingShare(const Rounding& rounding, const LogExcerpt& excerpt) {
  const double w = 2.0 * std::numbers::pi * excerpt.cutoff_hz;
  const Eigen::ArrayXd of_rounding =  // of white noise below the cut-off
      (rounding.density.array() * std::pow(w, 4) * excerpt.cutoff_hz / 5.0).sqrt();
  const Eigen::ArrayXd all = excerpt.ddq.array().square().colwise().mean().sqrt().transpose();
  return movingChannels(excerpt.q) * of_rounding / all.max(1e-12);
}

/// Speeds and accelerations of the stretches.
struct StretchMotion {
  std::vector<Eigen::MatrixXd> dq, ddq;
};

/// Filters the stretches in place.
StretchMotion filtered(double cutoff_hz,
                       double step,
                       std::vector<GridStretch>& stretches,
                       int threads) {
  const Lowpass lowpass = designLowpass(4, cutoff_hz, 1.0 / step);
  StretchMotion motion;
  for (GridStretch& stretch : stretches) {
    const Index channels = stretch.q.cols();
    filterZeroPhase(lowpass, stretch.q, threads);
    filterZeroPhase(lowpass, stretch.effort, threads);
    motion.dq.emplace_back(stretch.q.rows(), channels);
    motion.ddq.emplace_back(stretch.q.rows(), channels);
    parallelRanges(channels, threads, [&](Index first, Index end) {
      differentiate(stretch.q.middleCols(first, end - first),
                    step,
                    motion.dq.back().middleCols(first, end - first),
                    motion.ddq.back().middleCols(first, end - first));
    });
  }
  return motion;
}

/// Samples that the filter distorts at each end of a stretch.
Index leftOut(const GridStretch& stretch, Index edge) {
  return std::min(edge, stretch.q.rows() / 20);
}

/// Period of the motion in the longest stretch [s]; 0 where it does not repeat.
double periodOf(const std::vector<GridStretch>& stretches, double step, int threads) {
  const auto& longest =
      *std::max_element(stretches.begin(), stretches.end(), [](const auto& a, const auto& b) {
        return a.q.rows() < b.q.rows();
      });
  const Index stride = (longest.q.rows() + kPeriodSamples - 1) / kPeriodSamples;
  const Eigen::MatrixXd position =
      longest.q(Eigen::seqN(0, longest.q.rows() / stride, stride), Eigen::all);
  return motionPeriod(position, step * static_cast<double>(stride), threads).value_or(0.0);
}

/// Number of parts with which the motion of every joint lies in every fold. More than kParts where
/// joints move one after the other.
Index numParts(const LogExcerpt& excerpt) {
  constexpr double kMovesOften = 0.25;  // of the rows
  constexpr double kLeastShare = 0.05;
  double least = 1.0;
  const Eigen::ArrayXd moves = movingChannels(excerpt.q);
  for (Index c = 0; c < excerpt.dq.cols(); ++c) {
    const Eigen::ArrayXd speed = excerpt.dq.col(c).array().abs();
    const double still = kStillOverRms * std::sqrt(speed.square().mean());
    if (moves(c) > 0.0) least = std::min(least, (speed > still).cast<double>().mean());
  }
  if (least > kMovesOften) return kParts;
  return static_cast<Index>(std::ceil(kDiagnosisFolds / std::max(least, kLeastShare)));
}

/// Folds of the rows, from this number of parts of the log or of the period of its motion.
/// @param period  [s] 0: the motion does not repeat
std::vector<int> foldsOf(const LogExcerpt& excerpt,
                         const std::vector<GridStretch>& stretches,
                         double period,
                         Index parts) {
  std::vector<int> folds;
  for (Index r = 0; r < excerpt.rows(); ++r) {
    Index part = r * parts / excerpt.rows();
    if (period > 0.0) {
      const double periods = (stretches[excerpt.stretch_of_row[r]].begin_s +
                              static_cast<double>(excerpt.sample_of_row[r]) * excerpt.step) /
                             period;
      part = static_cast<Index>(static_cast<double>(parts) * (periods - std::floor(periods)));
    }
    folds.push_back(static_cast<int>(part) % kDiagnosisFolds);
  }
  return folds;
}

/// Speeds below which the channels stand; infinite for those that rest in the whole log.
Eigen::ArrayXd stillSpeeds(const std::vector<GridStretch>& stretches,
                           const std::vector<Eigen::MatrixXd>& dq) {
  const Index channels = dq.front().cols();
  Eigen::ArrayXd low = Eigen::ArrayXd::Constant(channels, std::numeric_limits<double>::infinity());
  Eigen::ArrayXd high = -low, squares = Eigen::ArrayXd::Zero(channels);
  double samples = 0.0;
  for (size_t s = 0; s < dq.size(); ++s) {
    low = low.min(stretches[s].q.colwise().minCoeff().transpose().array());
    high = high.max(stretches[s].q.colwise().maxCoeff().transpose().array());
    squares += dq[s].colwise().squaredNorm().transpose().array();
    samples += static_cast<double>(dq[s].rows());
  }
  return (high - low < kRests)
      .select(std::numeric_limits<double>::infinity(), kStillOverRms * (squares / samples).sqrt());
}

/// Chooses `wanted` of the usable samples in which a channel moves, evenly; all where there are
/// fewer.
void chooseRows(const std::vector<GridStretch>& stretches,
                const std::vector<Eigen::MatrixXd>& dq,
                Index edge,
                Index wanted,
                LogExcerpt& excerpt) {
  excerpt.stretch_of_row.clear();
  excerpt.sample_of_row.clear();
  const Eigen::ArrayXd still = stillSpeeds(stretches, dq);
  std::vector<std::pair<int, Index>> all, moving;  // stretch, sample
  for (int s = 0; s < std::ssize(stretches); ++s) {
    const Index first = leftOut(stretches[s], edge);
    for (Index i = first; i < stretches[s].q.rows() - first; ++i) {
      all.emplace_back(s, i);
      if ((dq[s].row(i).transpose().array().abs() > still).any()) moving.emplace_back(s, i);
    }
  }
  const auto& samples = std::ssize(moving) < kFewestMoving ? all : moving;
  const double stride =
      std::max(1.0, static_cast<double>(samples.size()) / static_cast<double>(wanted));
  for (double next = 0.0; next < static_cast<double>(samples.size()); next += stride) {
    const auto& [stretch, sample] = samples[static_cast<size_t>(next)];
    excerpt.stretch_of_row.push_back(stretch);
    excerpt.sample_of_row.push_back(sample);
  }
}

/// Filters the stretches in place and chooses rows of them.
void fillRows(const Rounding& rounding,
              Index wanted,
              int threads,
              std::vector<GridStretch>& stretches,
              LogExcerpt& excerpt) {
  const StretchMotion motion = filtered(excerpt.cutoff_hz, excerpt.step, stretches, threads);
  const auto edge = static_cast<Index>(0.5 / (excerpt.step * excerpt.cutoff_hz));
  chooseRows(stretches, motion.dq, edge, wanted, excerpt);
  const Index rows = std::ssize(excerpt.sample_of_row), channels = stretches.front().q.cols();
  for (Eigen::MatrixXd* matrix : {&excerpt.q, &excerpt.dq, &excerpt.ddq, &excerpt.effort})
    matrix->resize(rows, channels);
  for (Index r = 0; r < rows; ++r) {
    const auto s = static_cast<size_t>(excerpt.stretch_of_row[r]);
    const Index sample = excerpt.sample_of_row[r];
    excerpt.q.row(r) = stretches[s].q.row(sample);
    excerpt.dq.row(r) = motion.dq[s].row(sample);
    excerpt.ddq.row(r) = motion.ddq[s].row(sample);
    excerpt.effort.row(r) = stretches[s].effort.row(sample);
  }
  excerpt.rounding_share = roundingShare(rounding, excerpt);
}

/// Value of a grid at a sample that need not be whole, linear between samples; beyond an end: that
/// of the end.
double valueAt(const Eigen::Ref<const Eigen::VectorXd>& grid, double sample) {
  const double place = std::clamp(sample, 0.0, static_cast<double>(grid.size() - 1));
  const Index k = std::min(static_cast<Index>(place), grid.size() - 2);
  const double share = place - static_cast<double>(k);
  return (1.0 - share) * grid(k) + share * grid(k + 1);
}

}  // namespace

Eigen::ArrayXd movingChannels(const Eigen::MatrixXd& positions) {
  constexpr double kTail = 0.05;
  Eigen::ArrayXd moves(positions.cols());
  for (Index c = 0; c < positions.cols(); ++c) {
    const std::vector<double> values(positions.col(c).begin(), positions.col(c).end());
    moves(c) = quantile(values, 1.0 - kTail) - quantile(values, kTail) < kRests ? 0.0 : 1.0;
  }
  return moves;
}

LogExcerpt excerptOf(std::span<const RawSignals> windows,
                     const std::vector<bool>& prismatic,
                     Eigen::Index wanted_rows,
                     int threads) {
  LogExcerpt excerpt;
  excerpt.step = medianInterval(windows);
  if (!(excerpt.step > 0.0)) return excerpt;
  std::vector<CleanRows> clean;
  std::vector<GridStretch> stretches;
  for (const RawSignals& window : windows) clean.push_back(cleanRows(window));
  const double rate = 1.0 / excerpt.step;
  const Rounding rounding = roundingOf(clean, rate, threads);
  for (CleanRows& rows : clean) {
    AngleUnwrapper(prismatic).apply(rows.q);
    for (GridStretch& stretch : stretchesOf(rows, excerpt.step, threads))
      stretches.push_back(std::move(stretch));
    rows = {};
  }
  if (stretches.empty()) return excerpt;
  Index longest = 0;
  for (const GridStretch& stretch : stretches) longest = std::max(longest, stretch.q.rows());
  const double highest = kHighestShare * rate;
  const double of_speed = kCutoffOverF90 * speedFrequency(stretches, rounding, rate, threads);
  const double least =
      std::min(std::max(of_speed, 4.0 * rate / static_cast<double>(longest)), highest);
  excerpt.cutoff_hz = std::min(std::max(least, kLowestCutoff), highest);
  fillRows(rounding, wanted_rows, threads, stretches, excerpt);
  // A slow machine with a coarse encoder
  while (excerpt.cutoff_hz > least && excerpt.anyCoarse()) {
    excerpt.cutoff_hz = std::max(least, 0.5 * excerpt.cutoff_hz);
    fillRows(rounding, wanted_rows, threads, stretches, excerpt);
  }
  const double period = periodOf(stretches, excerpt.step, threads);
  excerpt.fold = foldsOf(excerpt, stretches, period, kParts);
  if (const Index parts = numParts(excerpt); parts > kParts)
    excerpt.second_fold = foldsOf(excerpt, stretches, period, parts);
  excerpt.position_step = rounding.step;
  for (GridStretch& stretch : stretches)
    excerpt.stretches.push_back(
        {std::move(stretch.q), std::move(stretch.effort), stretch.begin_s, stretch.end_s});
  return excerpt;
}

Eigen::MatrixXd effortLaterBy(const LogExcerpt& excerpt,
                              Eigen::Index channel,
                              const Eigen::VectorXd& delays) {
  Eigen::MatrixXd effort(excerpt.rows(), delays.size());
  for (Index r = 0; r < excerpt.rows(); ++r) {
    const auto grid = excerpt.stretches[excerpt.stretch_of_row[r]].effort.col(channel);
    const auto sample = static_cast<double>(excerpt.sample_of_row[r]);
    for (Index i = 0; i < delays.size(); ++i)
      effort(r, i) = valueAt(grid, sample + delays(i) / excerpt.step);
  }
  return effort;
}

ChannelMotion motionLaterBy(const LogExcerpt& excerpt, Eigen::Index channel, double delay) {
  const Index rows = excerpt.rows();
  ChannelMotion later{Eigen::VectorXd(rows), Eigen::VectorXd(rows), Eigen::VectorXd(rows)};
  int stretch = -1;
  Eigen::MatrixXd q, dq, ddq;
  for (Index r = 0; r < rows; ++r) {
    if (excerpt.stretch_of_row[r] != stretch) {
      stretch = excerpt.stretch_of_row[r];
      q = excerpt.stretches[stretch].q.col(channel);
      dq.resize(q.rows(), 1);
      ddq.resize(q.rows(), 1);
      differentiate(q, excerpt.step, dq, ddq);
    }
    const double place = static_cast<double>(excerpt.sample_of_row[r]) + delay / excerpt.step;
    later.q(r) = valueAt(q.col(0), place);
    later.dq(r) = valueAt(dq.col(0), place);
    later.ddq(r) = valueAt(ddq.col(0), place);
  }
  return later;
}

Eigen::MatrixXd effortLaterBy(const LogExcerpt& excerpt, const Eigen::VectorXd& delay) {
  Eigen::MatrixXd effort(excerpt.rows(), delay.size());
  for (Index c = 0; c < effort.cols(); ++c)
    effort.col(c) = effortLaterBy(excerpt, c, delay.segment<1>(c));
  return effort;
}

}  // namespace dynid
