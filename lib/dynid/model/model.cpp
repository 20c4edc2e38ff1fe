#include "dynid/model/model.h"

#include <cmath>
#include <limits>

namespace dynid {

double BaseParameterEstimate::relativeStdDev() const {
  if (value == 0.0) return std::numeric_limits<double>::infinity();
  return std_dev / std::abs(value);
}

}  // namespace dynid
