#include "dynid/model/model.h"

#include <cmath>
#include <limits>

namespace dynid {

double BaseParameterEstimate::relativeStdDev() const {
  if (value == 0.0) return std::numeric_limits<double>::infinity();
  return std_dev / std::abs(value);
}

bool shareRows(const LogRecord& a, const LogRecord& b) {
  if (a.sha256.empty() || a.sha256 != b.sha256) return false;
  return a.end_row == 0 || b.end_row == 0 || (a.first_row < b.end_row && b.first_row < a.end_row);
}

std::string Model::driveGainUnit(int actuator) const {
  if (!scale_known) return "relative";
  return robot->joints[actuator].prismatic ? "N/A" : "N m/A";
}

}  // namespace dynid
