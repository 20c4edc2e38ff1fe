#include "dynid/signals/filter.h"

#include "dynid/core/parallel.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <numbers>
#include <stdexcept>
#include <string>

namespace dynid {

namespace {

using Eigen::Index;
using std::numbers::pi;

constexpr int kHighestOrder = 12;

/// Section for a pair of poles s of the analog Butterworth filter with unit cut-off, warped to K =
/// tan(pi fc / rate).
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
    throw std::invalid_argument("the order of the low-pass is " + std::to_string(order) +
                                "; expected 1 to 12");
  if (!(rate_hz > 0.0) || !std::isfinite(rate_hz))
    throw std::invalid_argument("the sampling rate is " + toText(rate_hz) +
                                " Hz; expected a positive one");
  if (!(cutoff_hz > 0.0 && cutoff_hz < 0.5 * rate_hz))
    throw std::invalid_argument("the cut-off is " + toText(cutoff_hz) +
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
  // The partial fractions of close poles can exceed the leading term, so slightly more samples are
  // needed than log(tolerance) / log(radius).
  return static_cast<Index>(std::ceil(1.1 * std::log(tolerance) / std::log(radius))) + 2 * order;
}

void filterZeroPhase(const Lowpass& filter,
                     Eigen::Ref<Eigen::MatrixXd> columns,
                     FilterWorkspace& workspace) {
  const Index n = columns.rows();
  if (n < 2 || columns.cols() == 0 || filter.sections.empty()) return;
  const Index pad = std::min(n - 1, tailLength(filter, 1e-3));
  const auto needed = static_cast<std::size_t>(kFilterLanes * (n + 2 * pad));
  double sections[kHighestOrder / 2][5];
  for (std::size_t i = 0; i < filter.sections.size(); ++i) {
    const FilterSection& section = filter.sections[i];
    const double numbers[] = {section.b0, section.b1, section.b2, section.a1, section.a2};
    std::copy(std::begin(numbers), std::end(numbers), sections[i]);
  }
  LowpassRequest request{};
  request.sections = sections;
  request.num_sections = static_cast<int>(filter.sections.size());
  request.columns = columns.data();
  request.stride = columns.outerStride();
  request.num_columns = columns.cols();
  request.rows = n;
  request.pad = pad;
  request.lanes = workspace.lanes.atLeast(needed);
  workspace.kernels.lowpass(request);
}

void filterZeroPhase(const Lowpass& filter, Eigen::Ref<Eigen::MatrixXd> columns, int threads) {
  const auto groups = static_cast<int>((columns.cols() + kFilterLanes - 1) / kFilterLanes);
  parallelFor(groups, threads, [&](int group) {
    FilterWorkspace workspace;
    const Index first = Index{kFilterLanes} * group;
    const Index count = std::min<Index>(kFilterLanes, columns.cols() - first);
    filterZeroPhase(filter, columns.middleCols(first, count), workspace);
  });
}

}  // namespace dynid
