#pragma once

#include <Eigen/Core>

#include <span>

namespace dynid {

/// One-sided power spectral densities, one column a channel.
struct Spectrum {
  Eigen::VectorXd frequency;  ///< [F] Hz, from one bin above 0 to half the rate
  Eigen::MatrixXd power;      ///< [F,c] unit^2 / Hz
  int averages = 0;           ///< periodograms averaged
};

/// Welch's estimate: Hann windows of the largest power of two of rows that fits the longest piece
/// (16 to 8192), half overlapping, mean removed, averaged over all pieces that are long enough.
/// \param pieces stretches of uniformly sampled signals, the same channels
/// \returns averages = 0 and no rows if no piece has 16 samples
Spectrum powerSpectrum(std::span<const Eigen::MatrixXd> pieces, double rate_hz);

}  // namespace dynid
