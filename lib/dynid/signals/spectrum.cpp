#include "dynid/signals/spectrum.h"

#include "dynid/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;

Index windowLength(std::span<const Eigen::MatrixXd> pieces) {
  Index longest = 0;
  for (const Eigen::MatrixXd& piece : pieces) longest = std::max(longest, piece.rows());
  Index length = 16;
  while (2 * length <= longest && length < 8192) length *= 2;
  return length;
}

}  // namespace

Spectrum powerSpectrum(std::span<const Eigen::MatrixXd> pieces, double rate_hz, int threads) {
  Spectrum spectrum;
  if (pieces.empty()) return spectrum;
  const Index n = windowLength(pieces), bins = n / 2, channels = pieces.front().cols();
  const Eigen::VectorXd hann = Eigen::VectorXd::NullaryExpr(n, [n](Index k) {
    return 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * (static_cast<double>(k) + 0.5) /
                                static_cast<double>(n));
  });
  const double scale = 2.0 / (rate_hz * hann.squaredNorm());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(bins, channels);
  for (const Eigen::MatrixXd& piece : pieces)
    for (Index first = 0; first + n <= piece.rows(); first += n / 2) ++spectrum.averages;
  if (spectrum.averages == 0) return spectrum;
  parallelRanges(channels, threads, [&](Index first_channel, Index end_channel) {
    Eigen::FFT<double> fft;
    std::vector<double> samples(n);
    std::vector<std::complex<double>> transformed;
    for (Index j = first_channel; j < end_channel; ++j)
      for (const Eigen::MatrixXd& piece : pieces)
        for (Index first = 0; first + n <= piece.rows(); first += n / 2) {
          const auto x = piece.col(j).segment(first, n);
          Eigen::Map<Eigen::VectorXd>(samples.data(), n) = (x.array() - x.mean()) * hann.array();
          fft.fwd(transformed, samples);
          for (Index k = 0; k < bins; ++k) sum(k, j) += scale * std::norm(transformed[k + 1]);
        }
  });
  spectrum.power = sum / spectrum.averages;
  spectrum.frequency = Eigen::VectorXd::LinSpaced(bins, 1.0, static_cast<double>(bins)) *
                       (rate_hz / static_cast<double>(n));
  return spectrum;
}

}  // namespace dynid
