#pragma once

#include <cstdint>

namespace dynid {

/// Every k-th sample carries what is left after the low-pass: k = max(1, floor(rate / (4 cutoff))),
/// so that the kept samples' Nyquist frequency is at least twice the cut-off and residuals of
/// neighbours are nearly uncorrelated.
/// \throws std::invalid_argument unless both are positive and finite
int decimationFactor(double rate_hz, double cutoff_hz);

/// True for the samples of the uniform grid that decimation keeps: index divisible by factor,
/// whatever the window.
inline bool isKept(std::int64_t grid_index, int factor) {
  return factor == 1 || grid_index % factor == 0;
}

}  // namespace dynid
