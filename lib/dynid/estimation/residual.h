#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <utility>
#include <vector>

namespace dynid {

/// The channel's columns that stand in `columns`: pairs (position in `columns`, position in the
/// channel's factor).
std::vector<std::pair<int, int>> sharedColumns(const ChannelStatistics& channel,
                                               const std::vector<int>& columns);

/// ||tau||^2 over the rows behind a factor of [Y | tau].
double squaredEffort(const TriangularFactor& factor);

/// ||Y beta - tau||^2 over the rows behind a factor of [Y | tau].
/// @param shared  see sharedColumns; the factor's other columns have the parameter zero
double squaredResidual(const TriangularFactor& factor,
                       const std::vector<std::pair<int, int>>& shared,
                       const Eigen::VectorXd& beta);

/// Sums over the rows of one channel in which its joint moves.
struct ChannelSums {
  double rows = 0.0;
  double squared_effort = 0.0;    ///< ||tau||^2
  double squared_residual = 0.0;  ///< ||Y beta - tau||^2
};

/// @param columns  of the layout, ascending
/// @param beta     their parameters; other columns have the parameter zero
ChannelSums movingSums(const ChannelStatistics& channel,
                       const std::vector<int>& columns,
                       const Eigen::VectorXd& beta);

/// Root mean square of each channel's residual over its moving rows; 0 without rows.
/// @param columns, beta  as movingSums
Eigen::VectorXd channelResidual(const Statistics& statistics,
                                const std::vector<int>& columns,
                                const Eigen::VectorXd& beta);

/// Root mean square of each channel's effort over its moving rows; 0 without rows.
Eigen::VectorXd channelEffort(const Statistics& statistics);

}  // namespace dynid
