#pragma once

#include "dynid/statistics/accumulate.h"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace dynid {

/// What a sensor of six components measured at every sample of a window, as rows of the regression:
/// [6][samples x columns + 1], the measured values last.
struct SensorRows {
  std::vector<int> columns;   ///< of the layout
  std::vector<bool> has_log;  ///< per log, whether it holds the sensor
  std::function<std::vector<Eigen::MatrixXd>(const LogRows& log, const ActuatorSignals& window)>
      make;
};

/// Appends the sensor's six channels to the statistics: the rows of every window filtered,
/// decimated and added block by block.
void addSensorChannels(const std::vector<LogRows>& logs,
                       const SensorRows& sensor,
                       const WindowPass& pass,
                       Statistics& statistics);

}  // namespace dynid
