#pragma once

#include <cstdint>

namespace dynid {

/// Samples per period of the cut-off that are kept.
inline constexpr double kSamplesPerPeriod = 4.0;

/// Decimation factor after the low-pass, k = max(1, floor(rate / (4 cutoff))): every k-th sample is
/// used. The Nyquist frequency of the kept samples is at least twice the cut-off, and residuals of
/// neighbouring samples are nearly uncorrelated.
/// @throws std::invalid_argument unless both arguments are positive and finite
int decimationFactor(double rate_hz, double cutoff_hz);

/// Whether decimation keeps the sample: its index on the uniform grid is divisible by the factor,
/// independent of the window.
inline bool isKept(std::int64_t grid_index, int factor) {
  return factor == 1 || grid_index % factor == 0;
}

}  // namespace dynid
