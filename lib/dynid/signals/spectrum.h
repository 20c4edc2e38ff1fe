#pragma once

#include <Eigen/Core>

#include <span>

namespace dynid {

/// One-sided power spectral densities, one column per channel.
struct Spectrum {
  Eigen::VectorXd frequency;  ///< [F] Hz, from one bin above 0 to half the rate
  Eigen::MatrixXd power;      ///< [F,c] unit^2 / Hz
  int averages = 0;           ///< number of averaged periodograms
};

/// Welch's estimate: Hann windows with half overlap and removed mean, averaged over all pieces that
/// are long enough. The window length is the largest power of two (16 to 8192) that fits the
/// longest piece.
/// @param pieces sections of uniformly sampled signals of the same channels
/// @param threads  for the channels; the result does not depend on it
/// @returns averages = 0 and no rows if no piece has 16 samples
Spectrum powerSpectrum(std::span<const Eigen::MatrixXd> pieces, double rate_hz, int threads = 1);

}  // namespace dynid
