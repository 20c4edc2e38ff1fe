#include "dynid/model/model.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace dynid {

double BaseParameterEstimate::relativeStdDev() const {
  if (value == 0.0) return std::numeric_limits<double>::infinity();
  return std_dev / std::abs(value);
}

bool shareRows(const LogRecord& a, const LogRecord& b) {
  if (a.sha256.empty() || a.sha256 != b.sha256) return false;
  return a.end_row == 0 || b.end_row == 0 || (a.first_row < b.end_row && b.first_row < a.end_row);
}

void Model::check() const {
  if (!robot)
    throw std::invalid_argument(
        "got a model without a robot; expected one that was identified or loaded");
  const int columns = layout.size(), inertial = 10 * robot->numBodies();
  if (columns < inertial || parameters.size() != columns)
    throw std::invalid_argument(
        fmt::format("got {} parameters for {} columns; expected one each, and the {} inertial "
                    "columns of the robot first",
                    parameters.size(),
                    columns,
                    inertial));
  const std::pair<const char*, const Eigen::VectorXd*> per_actuator[] = {
      {"drive_gains", &drive_gains},
      {"ramp_speed", &signals.ramp_speed},
      {"effort_delay", &signals.effort_delay},
      {"rigid_cutoff_hz", &signals.rigid_cutoff_hz},
      {"friction_cutoff_hz", &signals.friction_cutoff_hz}};
  for (const auto& [name, values] : per_actuator)
    if (values->size() != 0 && values->size() != std::ssize(robot->drives))
      throw std::invalid_argument(
          fmt::format("got {} numbers `{}` for {} actuators; expected one each, or none",
                      values->size(),
                      name,
                      robot->drives.size()));
}

std::string Model::driveGainUnit(int actuator) const {
  if (!scale_known) return "relative";
  return robot->joints[actuator].prismatic ? "N/A" : "N m/A";
}

}  // namespace dynid
