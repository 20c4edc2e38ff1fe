#include "dynid/diagnosis/log_excerpt.h"

#include "dynid/logs/unwrap_angles.h"
#include "dynid/signals/differentiate.h"
#include "dynid/signals/filter.h"
#include "dynid/signals/spectrum.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kSpeedShare = 0.9;  // of the power below f90
constexpr double kCutoffOverF90 = 5.0;
constexpr double kLowestCutoff = 4.0;     // [Hz]
constexpr double kHighestShare = 0.2;     // of the sampling rate
constexpr double kSpectrumCutoff = 20.0;  // [Hz]: noise above is no motion of a robot
constexpr double kGapSteps = 10.0;        // a longer interval splits the log
constexpr double kShortestGap = 0.1;      // [s]
constexpr Index kFewestSamples = 64;
constexpr int kParts = 20;  // of the log, dealt out to the folds in turn

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
                       Index samples) {
  Eigen::MatrixXd grid(samples, values.cols());
  size_t k = begin;
  for (Index i = 0; i < samples; ++i) {
    const double t = time[begin] + static_cast<double>(i) * step;
    while (k + 2 < end && time[k + 1] <= t) ++k;
    const double share = std::clamp((t - time[k]) / (time[k + 1] - time[k]), 0.0, 1.0);
    const auto row = static_cast<Index>(k);
    grid.row(i) = (1.0 - share) * values.row(row) + share * values.row(row + 1);
  }
  return grid;
}

struct GridStretch {
  Eigen::MatrixXd q, effort;
};

std::vector<GridStretch> stretchesOf(const CleanRows& rows, double step) {
  std::vector<GridStretch> stretches;
  const double gap = std::max(kGapSteps * step, kShortestGap);
  size_t begin = 0;
  for (size_t r = 1; r <= rows.time.size(); ++r) {
    if (r < rows.time.size() && rows.time[r] - rows.time[r - 1] <= gap) continue;
    const double duration = rows.time[r - 1] - rows.time[begin];
    const auto samples = static_cast<Index>(std::floor(duration / step)) + 1;
    if (r - begin >= 4 && samples >= kFewestSamples)
      stretches.push_back({onGrid(rows.time, rows.q, begin, r, step, samples),
                           onGrid(rows.time, rows.effort, begin, r, step, samples)});
    begin = r;
  }
  return stretches;
}

/// The frequency below which 90 % of the speed's power lies, every channel counted alike [Hz].
double speedFrequency(const std::vector<GridStretch>& stretches, double rate) {
  std::vector<Eigen::MatrixXd> speeds;
  for (const GridStretch& stretch : stretches) {
    Eigen::MatrixXd q = stretch.q;
    if (kSpectrumCutoff < 0.45 * rate) filterZeroPhase(designLowpass(2, kSpectrumCutoff, rate), q);
    speeds.push_back(firstDerivative(q, 1.0 / rate));
  }
  const Spectrum spectrum = powerSpectrum(speeds, rate);
  if (spectrum.averages == 0) return 0.0;
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

/// Samples that the filter distorts at each end of a stretch.
Index leftOut(const GridStretch& stretch, Index edge) {
  return std::min(edge, stretch.q.rows() / 20);
}

/// Chooses every `stride`-th usable sample; at a stride below one, all.
void chooseRows(const std::vector<GridStretch>& stretches,
                Index edge,
                double stride,
                LogExcerpt& excerpt) {
  double next = 0.0;
  Index before = 0;
  for (int s = 0; s < std::ssize(stretches); ++s) {
    const Index first = leftOut(stretches[s], edge);
    const Index usable = stretches[s].q.rows() - 2 * first;
    for (; next < static_cast<double>(before + usable); next += std::max(1.0, stride)) {
      excerpt.stretch_of_row.push_back(s);
      excerpt.sample_of_row.push_back(first +
                                      std::min(usable - 1, static_cast<Index>(next) - before));
    }
    before += usable;
  }
}

}  // namespace

double medianInterval(std::span<const RawSignals> windows) {
  std::vector<double> intervals;
  for (const RawSignals& window : windows)
    for (Index r = 1; r < window.rows(); ++r)
      if (window.time(r) > window.time(r - 1))
        intervals.push_back(window.time(r) - window.time(r - 1));
  if (intervals.empty()) return std::nan("");
  const auto middle = intervals.begin() + std::ssize(intervals) / 2;
  std::nth_element(intervals.begin(), middle, intervals.end());
  return *middle;
}

LogExcerpt excerptOf(std::span<const RawSignals> windows,
                     const std::vector<bool>& prismatic,
                     Eigen::Index wanted_rows) {
  LogExcerpt excerpt;
  excerpt.step = medianInterval(windows);
  if (!(excerpt.step > 0.0)) return excerpt;
  std::vector<GridStretch> stretches;
  for (const RawSignals& window : windows) {
    CleanRows rows = cleanRows(window);
    AngleUnwrapper(prismatic).apply(rows.q);
    for (GridStretch& stretch : stretchesOf(rows, excerpt.step))
      stretches.push_back(std::move(stretch));
  }
  if (stretches.empty()) return excerpt;
  const double rate = 1.0 / excerpt.step;
  Index longest = 0;
  for (const GridStretch& stretch : stretches) longest = std::max(longest, stretch.q.rows());
  const double lowest = 4.0 * rate / static_cast<double>(longest);
  excerpt.cutoff_hz =
      std::min(std::max({kCutoffOverF90 * speedFrequency(stretches, rate), kLowestCutoff, lowest}),
               kHighestShare * rate);
  const Lowpass lowpass = designLowpass(4, excerpt.cutoff_hz, rate);
  const Index channels = windows.front().joints();
  const auto edge = static_cast<Index>(0.5 * rate / excerpt.cutoff_hz);
  std::vector<Eigen::MatrixXd> dq, ddq;
  Index usable = 0;
  for (GridStretch& stretch : stretches) {
    filterZeroPhase(lowpass, stretch.q);
    filterZeroPhase(lowpass, stretch.effort);
    dq.emplace_back(stretch.q.rows(), channels);
    ddq.emplace_back(stretch.q.rows(), channels);
    differentiate(stretch.q, excerpt.step, dq.back(), ddq.back());
    usable += stretch.q.rows() - 2 * leftOut(stretch, edge);
  }
  chooseRows(
      stretches, edge, static_cast<double>(usable) / static_cast<double>(wanted_rows), excerpt);
  const Index rows = std::ssize(excerpt.sample_of_row);
  for (Eigen::MatrixXd* matrix : {&excerpt.q, &excerpt.dq, &excerpt.ddq, &excerpt.effort})
    matrix->resize(rows, channels);
  for (Index r = 0; r < rows; ++r) {
    const auto s = static_cast<size_t>(excerpt.stretch_of_row[r]);
    const Index sample = excerpt.sample_of_row[r];
    excerpt.q.row(r) = stretches[s].q.row(sample);
    excerpt.dq.row(r) = dq[s].row(sample);
    excerpt.ddq.row(r) = ddq[s].row(sample);
    excerpt.effort.row(r) = stretches[s].effort.row(sample);
    excerpt.fold.push_back(static_cast<int>(r * kParts / rows) % kDiagnosisFolds);
  }
  for (GridStretch& stretch : stretches) excerpt.stretches.push_back({std::move(stretch.effort)});
  return excerpt;
}

Eigen::MatrixXd effortLaterBy(const LogExcerpt& excerpt, const Eigen::VectorXd& delay) {
  Eigen::MatrixXd effort(excerpt.rows(), excerpt.effort.cols());
  for (Index r = 0; r < excerpt.rows(); ++r) {
    const Eigen::MatrixXd& grid = excerpt.stretches[excerpt.stretch_of_row[r]].effort;
    const auto sample = static_cast<double>(excerpt.sample_of_row[r]);
    for (Index c = 0; c < effort.cols(); ++c) {
      const double place =
          std::clamp(sample + delay(c) / excerpt.step, 0.0, static_cast<double>(grid.rows() - 1));
      const Index k = std::min(static_cast<Index>(place), grid.rows() - 2);
      const double share = place - static_cast<double>(k);
      effort(r, c) = (1.0 - share) * grid(k, c) + share * grid(k + 1, c);
    }
  }
  return effort;
}

}  // namespace dynid
