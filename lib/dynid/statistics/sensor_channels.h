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
  std::vector<bool> has_log;  ///< whether the run's logs hold it
  std::function<std::vector<Eigen::MatrixXd>(const LogRun& log, const ActuatorSignals& window)>
      make;
};

/// Appends the sensor's six channels to the statistics: the rows of every window filtered,
/// decimated and added block by block.
void addSensorChannels(const std::vector<LogRun>& logs,
                       const SensorRows& sensor,
                       const WindowPass& pass,
                       Statistics& statistics);

}  // namespace dynid
