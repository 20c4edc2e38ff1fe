#pragma once

#include "dynid/identification/accumulate.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Appends six channels over these columns, without rows, to the statistics.
void appendSensorChannels(const std::vector<int>& columns, Statistics& statistics);

/// Filters the six channels' rows of one window, decimates and adds them, block by block.
/// @param signals  of the window; @param rows  [6][samples x columns + 1], what was measured last
void addSensorWindow(const LogRun& log,
                     const ActuatorSignals& signals,
                     std::vector<Eigen::MatrixXd>& rows,
                     size_t first_channel,
                     Statistics& statistics);

}  // namespace dynid
