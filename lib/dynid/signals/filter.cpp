#include "dynid/signals/filter.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <string>

namespace dynid {

namespace {

using Eigen::Index;
using std::numbers::pi;

constexpr Index kLanes = 8;
constexpr Index kBlock = 128;  // rows of lanes: 8 KiB
constexpr int kHighestOrder = 12;
constexpr std::size_t kMostSections = kHighestOrder / 2;

/// Section from the analog poles s of a unit-cut-off Butterworth, warped to K = tan(pi fc / rate).
FilterSection pairSection(double damping, double K) {
  // H(s) = 1 / (s^2 + 2 damping s + 1), s = (1/K) (1 - z^-1) / (1 + z^-1)
  const double scale = 1.0 / (1.0 + 2.0 * damping * K + K * K);
  FilterSection section;
  section.b0 = K * K * scale;
  section.b1 = 2.0 * section.b0;
  section.b2 = section.b0;
  section.a1 = 2.0 * (K * K - 1.0) * scale;
  section.a2 = (1.0 - 2.0 * damping * K + K * K) * scale;
  return section;
}

FilterSection singleSection(double K) {
  FilterSection section;
  section.b0 = K / (1.0 + K);
  section.b1 = section.b0;
  section.a1 = (K - 1.0) / (1.0 + K);
  return section;
}

double slowestPole(const Lowpass& filter) {
  double radius = 0.0;
  for (const FilterSection& section : filter.sections) {
    const std::complex<double> root =
        std::sqrt(std::complex<double>(section.a1 * section.a1 - 4.0 * section.a2, 0.0));
    radius = std::max(
        {radius, std::abs((-section.a1 + root) * 0.5), std::abs((-section.a1 - root) * 0.5)});
  }
  return radius;
}

/// Two lanes in one register of the least machine we run on; the compiler keeps arrays of these in
/// registers, arrays of double it does not.
using Pair = double __attribute__((vector_size(16), aligned(8), may_alias));
constexpr Index kPairs = kLanes / 2;

/// State of a section in transposed direct form II, all lanes.
struct LaneState {
  Pair s1[kPairs], s2[kPairs];

  /// What a constant input x would have left: s1 = (1 - b0) x, s2 = (b2 - a2) x at unit gain.
  void settle(const FilterSection& section, const Pair* x) {
    for (Index i = 0; i < kPairs; ++i) {
      s1[i] = (1.0 - section.b0) * x[i];
      s2[i] = (section.b2 - section.a2) * x[i];
    }
  }
};

/// Runs one section over rows of kLanes values in place; `step` is +kPairs or -kPairs.
void runSection(const FilterSection& section, LaneState& state, Pair* row, Index rows, Index step) {
  const double b0 = section.b0, b1 = section.b1, b2 = section.b2;
  const double a1 = section.a1, a2 = section.a2;
  LaneState s = state;
  for (Index k = 0; k < rows; ++k, row += step) {
#pragma GCC unroll 4
    for (Index i = 0; i < kPairs; ++i) {
      const Pair x = row[i];
      const Pair y = b0 * x + s.s1[i];
      s.s1[i] = b1 * x - a1 * y + s.s2[i];
      s.s2[i] = b2 * x - a2 * y;
      row[i] = y;
    }
  }
  state = s;
}

/// All sections, block after block, so that a block stays in the first cache.
void runCascade(const Lowpass& filter, Pair* first_row, Index rows, Index step) {
  LaneState states[kMostSections];
  for (Index done = 0; done < rows; done += kBlock) {
    Pair* block = first_row + done * step;
    const Index count = std::min(kBlock, rows - done);
    for (std::size_t i = 0; i < filter.sections.size(); ++i) {
      if (done == 0) states[i].settle(filter.sections[i], block);
      runSection(filter.sections[i], states[i], block, count, step);
    }
  }
}

/// Copies up to kLanes columns into rows of lanes, extended by odd reflection: x_{-k} = 2 x_0 -
/// x_k. Lanes without a column repeat the last one.
void loadLanes(const Eigen::Ref<Eigen::MatrixXd>& columns,
               Index first,
               Index count,
               Index pad,
               double* lanes) {
  const Index n = columns.rows();
  const double* x[kLanes];
  for (Index lane = 0; lane < kLanes; ++lane)
    x[lane] = columns.col(first + std::min(lane, count - 1)).data();
  for (Index k = pad; k >= 1; --k)
    for (Index lane = 0; lane < kLanes; ++lane) *lanes++ = 2.0 * x[lane][0] - x[lane][k];
  for (Index k = 0; k < n; ++k)
    for (Index lane = 0; lane < kLanes; ++lane) *lanes++ = x[lane][k];
  for (Index k = n - 2; k >= n - 1 - pad; --k)
    for (Index lane = 0; lane < kLanes; ++lane) *lanes++ = 2.0 * x[lane][n - 1] - x[lane][k];
}

void storeLanes(const double* lanes,
                Index first,
                Index count,
                Index pad,
                Eigen::Ref<Eigen::MatrixXd>& columns) {
  double* x[kLanes];
  for (Index lane = 0; lane < count; ++lane) x[lane] = columns.col(first + lane).data();
  lanes += pad * kLanes;
  for (Index k = 0; k < columns.rows(); ++k, lanes += kLanes)
    for (Index lane = 0; lane < count; ++lane) x[lane][k] = lanes[lane];
}

}  // namespace

double Lowpass::gain(double frequency_hz) const {
  const std::complex<double> z1 = std::polar(1.0, -2.0 * pi * frequency_hz / rate_hz);
  double squared = 1.0;
  for (const FilterSection& section : sections)
    squared *= std::norm((section.b0 + z1 * (section.b1 + z1 * section.b2)) /
                         (1.0 + z1 * (section.a1 + z1 * section.a2)));
  return squared;
}

Lowpass designLowpass(int order, double cutoff_hz, double rate_hz) {
  if (order < 1 || order > kHighestOrder)
    throw std::invalid_argument("designLowpass: order " + std::to_string(order) +
                                "; expected 1 to 12");
  if (!(rate_hz > 0.0) || !std::isfinite(rate_hz))
    throw std::invalid_argument("designLowpass: rate " + toText(rate_hz) +
                                " Hz; expected a positive one");
  if (!(cutoff_hz > 0.0 && cutoff_hz < 0.5 * rate_hz))
    throw std::invalid_argument("designLowpass: cut-off " + toText(cutoff_hz) +
                                " Hz; expected one between 0 and half the rate of " +
                                toText(rate_hz) + " Hz");
  Lowpass filter{order, cutoff_hz, rate_hz, {}};
  const double K = std::tan(pi * cutoff_hz / rate_hz);
  for (int k = 0; k < order / 2; ++k)
    filter.sections.push_back(pairSection(std::sin(pi * (2 * k + 1) / (2.0 * order)), K));
  if (order % 2 == 1) filter.sections.push_back(singleSection(K));
  return filter;
}

Index tailLength(const Lowpass& filter, double tolerance) {
  const double radius = slowestPole(filter);
  const Index order = filter.order;
  if (radius <= 0.0) return 2 * order;
  // Partial fractions of close poles can exceed the leading term: a few more samples than
  // log(tolerance) / log(radius).
  return static_cast<Index>(std::ceil(1.1 * std::log(tolerance) / std::log(radius))) + 2 * order;
}

// A Ref is a view that is written through, not a copy.
// NOLINTBEGIN(performance-unnecessary-value-param)
void filterZeroPhase(const Lowpass& filter,
                     Eigen::Ref<Eigen::MatrixXd> columns,
                     FilterWorkspace& workspace) {
  const Index n = columns.rows();
  if (n < 2 || columns.cols() == 0) return;
  const Index pad = std::min(n - 1, tailLength(filter, 1e-3));
  const Index rows = n + 2 * pad;
  const auto needed = static_cast<std::size_t>(rows * kLanes);
  if (workspace.lanes.size() < needed) workspace.lanes.resize(needed);
  double* lanes = workspace.lanes.data();
  for (Index first = 0; first < columns.cols(); first += kLanes) {
    const Index count = std::min(kLanes, columns.cols() - first);
    loadLanes(columns, first, count, pad, lanes);
    auto* pairs = reinterpret_cast<Pair*>(lanes);
    runCascade(filter, pairs, rows, kPairs);
    runCascade(filter, pairs + (rows - 1) * kPairs, rows, -kPairs);
    storeLanes(lanes, first, count, pad, columns);
  }
}

void filterZeroPhase(const Lowpass& filter, Eigen::Ref<Eigen::MatrixXd> columns) {
  FilterWorkspace workspace;
  filterZeroPhase(filter, columns, workspace);
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace dynid
