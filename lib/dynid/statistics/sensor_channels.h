#pragma once

#include "dynid/statistics/accumulate.h"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace dynid {

/// The rows of a sensor with six components: [6][samples x columns + 1] at every sample of a
/// window, with the measured values in the last column.
struct SensorRows {
  std::vector<int> columns;   ///< of the layout
  std::vector<bool> has_log;  ///< per log: whether it contains the sensor
  std::function<std::vector<Eigen::MatrixXd>(const LogRows& log, const ActuatorSignals& window)>
      make;
};

/// Appends the six channels of the sensor to the statistics. The rows of every window are filtered,
/// decimated and added block by block.
void addSensorChannels(const std::vector<LogRows>& logs,
                       const SensorRows& sensor,
                       const WindowPass& pass,
                       Statistics& statistics);

}  // namespace dynid
