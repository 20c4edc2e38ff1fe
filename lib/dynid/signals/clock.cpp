#include "dynid/signals/clock.h"

#include "dynid/core/text.h"
#include "dynid/math/nan.h"
#include "dynid/math/quantile.h"
#include "dynid/signals/held_rows.h"
#include "dynid/signals/local_motion.h"
#include "dynid/signals/row_order.h"
#include "dynid/signals/ticks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Thresholds for the acceptance of a clock.
constexpr double kUniformJitter = 0.02;  // of the interval: below, the stamps count as exact
constexpr double kRegularJitter = 0.25;  // of the interval: above, the stamps show no regular clock
/// A regular clock may make the motion rougher than the stamps by this factor.
constexpr double kRegularRoughness = 1.02;
constexpr double kTickGain = 1.5;  // ticks from the motion must make it smoother by this factor
/// Of a tick: an increment must be this close to a whole number,
constexpr double kTickFraction = 0.2;
constexpr double kTickShare = 0.95;  // in this share of the rows
// share of increments off the ticks in a first count above which the search ends
constexpr double kHopeless = 0.3;
/// Up to so many rows with the same stamp, ticks are counted from the stamps too.
constexpr double kMostRowsOfAStamp = 10.0;
/// Where rows share stamps, a clock that keeps all rows may make the motion rougher by this factor
/// than the first row of each stamp alone, and ticks from the motion must be smoother by
/// kCoarseTickGain than those from the stamps.
constexpr double kCoarseRoughness = 1.2;
constexpr double kCoarseTickGain = 1.05;
constexpr double kLessJitter = 0.75;  // a clear difference between two clocks of coarse stamps
constexpr double kHeldShare = 0.005;  // of the rows in which the robot certainly moves

/// Consecutive rows without a gap.
struct Stretch {
  VectorXd time;
  MatrixXd Q;
};

Stretch gather(const RawSignals& window, const std::vector<Index>& rows) {
  return {window.time(rows), window.position(rows, Eigen::all)};
}

std::vector<Index> slice(const std::vector<Index>& rows, Segment part) {
  return {rows.begin() + part.begin, rows.begin() + part.end};
}

void dropRows(Stretch& stretch, const std::vector<bool>& dropped) {
  if (std::none_of(dropped.begin(), dropped.end(), [](bool drop) { return drop; })) return;
  Index kept = 0;
  for (Index k = 0; k < stretch.time.size(); ++k) {
    if (dropped[k]) continue;
    stretch.time(kept) = stretch.time(k);
    stretch.Q.row(kept) = stretch.Q.row(k);
    ++kept;
  }
  stretch.time.conservativeResize(kept);
  stretch.Q.conservativeResize(kept, Eigen::NoChange);
}

std::vector<bool> duplicatesIn(const Stretch& stretch) {
  std::vector<bool> duplicate(stretch.time.size(), false);
  for (Index k = 1; k < stretch.time.size(); ++k)
    duplicate[k] = !(stretch.time(k) > stretch.time(k - 1));
  return duplicate;
}

/// The stretches of all excerpts between gaps, and quantities computed from all of them.
struct Material {
  std::vector<Stretch> stretches;
  double median_step = kNaN;  ///< of the nonzero intervals
  double mean_step = kNaN;    ///< over all stretches, with zero intervals
  double max_gap = kNaN;
  double rows_per_stamp = 1.0;
  bool coarse_stamps = false;  ///< more than 1 of 20 rows repeats a stamp
  double stamp_width = 0.0;    ///< [s] as in ClockModel
  double usual_rows = 1.0;     ///< most frequent number of rows with the same stamp
  VectorXd noise, resolution;
  Index usual_hold = 1;
  int threads = 1;
};

/// Buffered logs arrive in bursts: an interval that occurs once in twenty rows is not a gap.
double usualMaxGap(const std::vector<double>& intervals) {
  const double slow = nthSmallest(intervals, intervals.size() * 19 / 20);
  return std::max({5.0 * median(intervals), 2.0 * slow, 0.02});
}

double usualRowsOfAStamp(const std::vector<Stretch>& stretches) {
  std::map<Index, Index> stamps;  // number of stamps with so many rows
  for (const Stretch& stretch : stretches) {
    Index rows = 1;
    for (Index k = 1; k < stretch.time.size(); ++k, ++rows) {
      if (!(stretch.time(k) > stretch.time(k - 1))) continue;
      ++stamps[rows];
      rows = 0;
    }
  }
  const auto most =
      std::max_element(stamps.begin(), stamps.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      });
  return most == stamps.end() ? 1.0 : static_cast<double>(most->first);
}

// Splits the excerpts at gaps and computes the quantities that all candidates need. Rows with
// duplicate stamps are dropped unless the stamps are coarse.
Material collect(std::span<const RawSignals> excerpts, double max_gap, int threads) {
  Material material;
  material.threads = threads;
  std::vector<double> intervals;
  std::vector<OrderedRows> ordered;
  Index total = 0;
  for (const RawSignals& excerpt : excerpts) {
    excerpt.check();
    ordered.push_back(orderRows(excerpt));
    const std::vector<Index>& rows = ordered.back().rows;
    total += std::ssize(rows);
    for (std::size_t k = 1; k < rows.size(); ++k)
      if (excerpt.time(rows[k]) > excerpt.time(rows[k - 1]))
        intervals.push_back(excerpt.time(rows[k]) - excerpt.time(rows[k - 1]));
  }
  if (intervals.empty())
    throw std::invalid_argument("no two different time stamps in " + std::to_string(total) +
                                " usable rows; expected at least two");
  material.median_step = median(intervals);
  material.max_gap = std::isfinite(max_gap) ? max_gap : usualMaxGap(intervals);
  MatrixXd all(total, excerpts.front().joints());
  Index filled = 0;
  double elapsed = 0.0, steps = 0.0;
  for (std::size_t i = 0; i < excerpts.size(); ++i) {
    for (const Segment part : splitAtGaps(excerpts[i], ordered[i].rows, material.max_gap)) {
      Stretch stretch = gather(excerpts[i], slice(ordered[i].rows, part));
      all.middleRows(filled, part.size()) = stretch.Q;
      filled += part.size();
      elapsed += stretch.time(part.size() - 1) - stretch.time(0);
      steps += static_cast<double>(part.size() - 1);
      material.stretches.push_back(std::move(stretch));
    }
  }
  material.rows_per_stamp = steps / static_cast<double>(intervals.size());
  material.coarse_stamps = material.rows_per_stamp > 20.0 / 19.0;
  if (!material.coarse_stamps)
    for (Stretch& stretch : material.stretches) dropRows(stretch, duplicatesIn(stretch));
  else if (material.rows_per_stamp < kMostRowsOfAStamp)
    material.stamp_width = material.median_step;
  if (material.coarse_stamps) material.usual_rows = usualRowsOfAStamp(material.stretches);
  material.mean_step = elapsed > 0.0 ? elapsed / steps : material.median_step;
  material.resolution = incrementResolution(all, threads);
  material.usual_hold = usualHold(all);
  material.noise = incrementNoise(all, chordSlopes(all, longestHold(material.usual_hold)), threads);
  return material;
}

void findHeldRows(Material& material, ClockModel& model) {
  HoldStatistics statistics;
  for (const Stretch& stretch : material.stretches)
    heldRows(stretch.Q, model.resolution, model.usual_hold, &statistics);
  if (statistics.moving == 0) return;
  model.repeated_fraction =
      static_cast<double>(statistics.held) / static_cast<double>(statistics.moving);
  model.drop_repeated = statistics.held >= 5 && model.repeated_fraction > kHeldShare;
  if (!model.drop_repeated) return;
  for (Stretch& stretch : material.stretches)
    dropRows(stretch, heldRows(stretch.Q, model.resolution, model.usual_hold));
}

/// A regular clock fitted to the stretches.
struct Lattice {
  bool found = false;
  double step = kNaN;
  double jitter = kNaN;     ///< [s] root mean square of stamp minus tick
  double origin = kNaN;     ///< [s] time of tick 0 of the first stretch
  double roughness = kNaN;  ///< of the motion with this clock
  /// Share of rows with certain motion that are not close to a whole tick (for ticks from the
  /// motion).
  double off_tick = 1.0;
};

/// Fits a common interval and one offset per stretch by least squares; the result and its residual
/// are stored in `lattice`.
void fitStep(const std::vector<Stretch>& stretches,
             const std::vector<VectorXd>& ticks,
             Lattice& lattice) {
  double covariance = 0.0, variance = 0.0, squares = 0.0, rows = 0.0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const auto t = stretches[i].time.array() - stretches[i].time.mean();
    const auto n = ticks[i].array() - ticks[i].mean();
    covariance += (t * n).sum();
    variance += n.square().sum();
  }
  if (!(variance > 0.0) || !(covariance > 0.0)) return;
  lattice.step = covariance / variance;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const double offset = stretches[i].time.mean() - lattice.step * ticks[i].mean();
    if (i == 0) lattice.origin = offset;
    squares +=
        (stretches[i].time.array() - offset - lattice.step * ticks[i].array()).square().sum();
    rows += static_cast<double>(ticks[i].size());
  }
  lattice.jitter = std::sqrt(squares / rows);
  lattice.found = true;
}

/// Roughness over all stretches, weighted by their length.
double roughnessOf(const std::vector<Stretch>& stretches,
                   const std::vector<VectorXd>& times,
                   const VectorXd& noise,
                   int threads) {
  double sum = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const double roughness = motionRoughness(times[i], stretches[i].Q, noise, threads);
    if (!std::isfinite(roughness)) continue;
    sum += roughness * static_cast<double>(times[i].size());
    weight += static_cast<double>(times[i].size());
  }
  return weight > 0.0 ? sum / weight : kNaN;
}

double stampRoughness(const Material& material) {
  const auto times_of = [](const std::vector<Stretch>& stretches) {
    std::vector<VectorXd> times;
    for (const Stretch& stretch : stretches) times.push_back(stretch.time);
    return times;
  };
  const auto roughness = [&](const std::vector<Stretch>& stretches) {
    return roughnessOf(stretches, times_of(stretches), material.noise, material.threads);
  };
  if (!material.coarse_stamps) return roughness(material.stretches);
  std::vector<Stretch> stretches = material.stretches;
  for (Stretch& stretch : stretches) dropRows(stretch, duplicatesIn(stretch));
  return roughness(stretches);
}

/// [s] The interval that fits the stamps if no row is missing.
double stepOfRows(const Material& material) {
  std::vector<VectorXd> rows;
  for (const Stretch& stretch : material.stretches)
    rows.push_back(VectorXd::LinSpaced(
        stretch.time.size(), 0.0, static_cast<double>(stretch.time.size() - 1)));
  Lattice lattice;
  fitStep(material.stretches, rows, lattice);
  return lattice.found ? lattice.step : material.mean_step;
}

/// Whether a clock fits the stamps better than another. Coarse stamps fit shorter steps with
/// missing rows closely whatever the true step is: there, the motion decides, or a clear
/// difference.
bool isBetter(const Lattice& lattice, const Lattice& best, bool shared) {
  if (!shared) return lattice.jitter < best.jitter;
  const double rougher = lattice.roughness - best.roughness;
  if (std::abs(rougher) > std::log(kRegularRoughness)) return rougher < 0.0;
  return lattice.jitter < kLessJitter * best.jitter;
}

// A regular clock from the stamps: ticks and interval are estimated alternately, starting from the
// median and from the mean interval, and from the part of the median interval that one of the rows
// with the same stamp has; the result with the least jitter is used.
Lattice latticeFromStamps(const Material& material) {
  Lattice best;
  std::vector<double> guesses{material.median_step, material.mean_step};
  // Where rows share stamps, mostly none is missing.
  if (material.stamp_width > 0.0)
    guesses = {stepOfRows(material), material.median_step / material.usual_rows};
  for (const double first_guess : guesses) {
    Lattice lattice;
    lattice.step = first_guess;
    std::vector<VectorXd> ticks;
    for (int round = 0; round < 3; ++round) {
      ticks.clear();
      for (const Stretch& stretch : material.stretches)
        ticks.push_back(ticksFromStamps(stretch.time, lattice.step, material.stamp_width));
      fitStep(material.stretches, ticks, lattice);
    }
    // If stamps are coarser than the clock, their rounding error is not counted as jitter.
    const double coarse = material.coarse_stamps ? 0.4 * material.median_step : 0.0;
    // Where many rows share a stamp, no row is missing: far shorter steps do not fill the time.
    const bool fills_time = !material.coarse_stamps || lattice.step > 0.5 * material.mean_step;
    lattice.found = lattice.found && fills_time &&
                    lattice.jitter <= std::max(kRegularJitter * lattice.step, coarse);
    if (!lattice.found) continue;
    lattice.roughness = roughnessOf(material.stretches, ticks, material.noise, material.threads);
    if (best.found && !isBetter(lattice, best, material.stamp_width > 0.0)) continue;
    best = lattice;
  }
  return best;
}

/// Share of the elapsed times that are not multiples of `tick`.
double shareOffTick(const std::vector<double>& elapsed, double tick) {
  const auto off = std::count_if(elapsed.begin(), elapsed.end(), [tick](double s) {
    return std::abs(s / tick - std::round(s / tick)) > kTickFraction;
  });
  return static_cast<double>(off) / static_cast<double>(elapsed.size());
}

/// The tick may be a fraction of the usual interval: the largest value of which nearly all
/// increments are multiples.
Lattice latticeFromMotion(const Material& material) {
  if (material.noise.size() < 2) return {};
  std::vector<double> elapsed;
  for (const Stretch& stretch : material.stretches) {
    const VectorXd rows =
        VectorXd::LinSpaced(stretch.time.size(), 0.0, static_cast<double>(stretch.time.size() - 1));
    const VectorXd seen = elapsedByMotion(stretch.Q,
                                          parabolaSlopes(rows, stretch.Q, 15, material.threads),
                                          material.noise,
                                          material.threads);
    for (const double s : seen)
      if (std::isfinite(s)) elapsed.push_back(s);
  }
  if (elapsed.size() < 100) return {};
  const double usual = median(elapsed) * material.mean_step;
  for (int divisor = 1; divisor <= 3 && usual > 0.0; ++divisor) {
    Lattice lattice;
    lattice.step = usual / divisor;
    std::vector<VectorXd> ticks;
    std::vector<double> fractions;
    if (shareOffTick(elapsed, median(elapsed) / divisor) > kHopeless) continue;
    for (int round = 0; round < 2; ++round) {
      ticks.clear();
      fractions.clear();
      for (const Stretch& stretch : material.stretches)
        ticks.push_back(ticksFromMotion(
            stretch.time, stretch.Q, material.noise, lattice.step, &fractions, material.threads));
      fitStep(material.stretches, ticks, lattice);
    }
    const auto off = std::count_if(fractions.begin(), fractions.end(), [](double fraction) {
      return std::abs(fraction) > kTickFraction;
    });
    lattice.off_tick = static_cast<double>(off) / static_cast<double>(fractions.size() + 1);
    if (!lattice.found || lattice.off_tick > 1.0 - kTickShare) continue;
    lattice.roughness = roughnessOf(material.stretches, ticks, material.noise, material.threads);
    return lattice;
  }
  return {};
}

void adopt(const Lattice& lattice, ClockKind kind, double stamps, ClockModel& model) {
  model.kind = kind;
  model.step = lattice.step;
  model.origin = lattice.origin;
  model.jitter = lattice.jitter;
  const double gain = std::exp(stamps - lattice.roughness);
  model.roughness_gain = std::isfinite(gain) ? gain : 1.0;
}

std::string reasonOfJitter(const ClockModel& model) {
  const std::string step = "a regular step of " + toText(1e3 * model.step, 6) + " ms";
  const std::string jitter = toText(1e3 * model.jitter, 3) + " ms (rms)";
  if (model.stamp_width > 0.0)
    return toText(model.rows_per_stamp, 3) + " rows on average have the same time stamp: all are " +
           "kept, at the times of " + step + ", from which the stamps are " + jitter + " off";
  return "stamps jitter by " + jitter + " about " + step +
         ", on which the motion is at least as smooth";
}

}  // namespace

std::string toText(ClockKind kind) {
  switch (kind) {
    case ClockKind::kUniform:
      return "uniform";
    case ClockKind::kQuantised:
      return "quantised";
    case ClockKind::kJittered:
      return "jittered";
    case ClockKind::kIrregular:
      return "irregular";
  }
  return "unknown";
}

ClockModel estimateClock(std::span<const RawSignals> excerpts, double max_gap, int threads) {
  if (excerpts.empty()) throw std::invalid_argument("no window; expected at least one");
  Material material = collect(excerpts, max_gap, threads);
  ClockModel model;
  model.max_gap = material.max_gap;
  model.noise = material.noise;
  model.resolution = material.resolution;
  model.usual_hold = material.usual_hold;
  model.drop_duplicates = !material.coarse_stamps;
  model.rows_per_stamp = material.rows_per_stamp;
  model.stamp_width = material.stamp_width;
  findHeldRows(material, model);

  const double stamps = stampRoughness(material);
  const Lattice regular = latticeFromStamps(material);
  const Lattice counted = latticeFromMotion(material);
  const bool shared = material.stamp_width > 0.0;
  const double rougher = std::log(shared ? kCoarseRoughness : kRegularRoughness);
  const double rival =
      regular.found && (shared || !(regular.roughness > stamps)) ? regular.roughness : stamps;
  if (counted.found && rival - counted.roughness > std::log(shared ? kCoarseTickGain : kTickGain)) {
    adopt(counted, ClockKind::kQuantised, stamps, model);
    model.reason = "position increments are whole ticks of " + toText(1e3 * model.step, 6) +
                   " ms in " + toPercent(1.0 - counted.off_tick) +
                   " of the moving rows; counting them makes the motion " +
                   toText(model.roughness_gain, 3) + " times smoother than the stamps, which are " +
                   toText(1e3 * model.jitter, 3) + " ms (rms) off";
  } else if (regular.found && regular.jitter <= kUniformJitter * regular.step) {
    adopt(regular, ClockKind::kUniform, stamps, model);
    model.reason = "stamps are multiples of " + toText(1e3 * model.step, 6) + " ms";
  } else if (regular.found && !(regular.roughness > stamps + rougher)) {
    adopt(regular, ClockKind::kJittered, stamps, model);
    model.reason = reasonOfJitter(model);
  } else {
    model.kind = ClockKind::kIrregular;
    model.step = material.mean_step;
    model.origin = material.stretches.front().time(0);
    model.reason =
        regular.found
            ? "the motion is smoother under the stamps than under a regular clock of " +
                  toText(1e3 * regular.step, 6) + " ms: the stamps are right"
            : "the stamps fit no regular clock; mean step " + toText(1e3 * model.step, 6) + " ms";
  }
  return model;
}

}  // namespace dynid
