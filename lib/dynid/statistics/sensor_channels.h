#pragma once

#include "dynid/statistics/accumulate.h"

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace dynid {

/// A sensor with six components.
struct SensorRows {
  std::string name;           ///< its group or dataset in the log
  std::vector<int> columns;   ///< of the layout
  std::vector<bool> has_log;  ///< per log: whether it contains the sensor
  /// Its channels [rows x c] in the rows of a window (sensorChannels).
  std::function<Eigen::MatrixXd(const LogRows& log, const RawWindow& window)> read;
  /// Its equations [6][samples x columns + 1] at every sample of a window, with the measured values
  /// in the last column.
  /// @param channels  as read; on the clock by channelOnGrid
  std::function<std::vector<Eigen::MatrixXd>(
      const LogRows& log, const ActuatorSignals& window, const Eigen::MatrixXd& channels)>
      make;
};

/// Appends the six channels of the sensor to the statistics. The rows of every window are filtered,
/// decimated and added block by block. Rows of the log in which a channel of the sensor is not
/// finite are dropped, as those without an effort are.
/// @param use  per log; their number is noted there
void addSensorChannels(const std::vector<LogRows>& logs,
                       const SensorRows& sensor,
                       const WindowPass& pass,
                       Statistics& statistics,
                       std::vector<LogUse>& use);

}  // namespace dynid
