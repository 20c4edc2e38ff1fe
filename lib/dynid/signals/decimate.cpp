#include "dynid/signals/decimate.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {

int decimationFactor(double rate_hz, double cutoff_hz) {
  if (!(rate_hz > 0.0) || !(cutoff_hz > 0.0) || !std::isfinite(rate_hz))
    throw std::invalid_argument("the sampling rate is " + toText(rate_hz) + " Hz and the cut-off " +
                                toText(cutoff_hz) + " Hz; expected positive ones");
  return static_cast<int>(
      std::clamp(std::floor(rate_hz / (kSamplesPerPeriod * cutoff_hz)), 1.0, 1e6));
}

}  // namespace dynid
