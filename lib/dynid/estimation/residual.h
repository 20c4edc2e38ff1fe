#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <utility>
#include <vector>

namespace dynid {

/// The columns of the channel that are contained in `columns`: pairs (position in `columns`,
/// position in the channel's factor).
std::vector<std::pair<int, int>> sharedColumns(const ChannelStatistics& channel,
                                               const std::vector<int>& columns);

/// ||tau||^2 over the rows from which a factor of [Y | tau] was computed.
double squaredEffort(const TriangularFactor& factor);

/// ||Y beta - tau||^2 over the rows from which a factor of [Y | tau] was computed.
/// @param shared  see sharedColumns; parameters of the factor's other columns are zero
double squaredResidual(const TriangularFactor& factor,
                       const std::vector<std::pair<int, int>>& shared,
                       const Eigen::VectorXd& beta);

/// Sums over the moving rows of one channel.
struct ChannelSums {
  double rows = 0.0;
  double squared_effort = 0.0;    ///< ||tau||^2
  double squared_residual = 0.0;  ///< ||Y beta - tau||^2
};

/// @param columns  of the layout, ascending
/// @param beta     their parameters; the parameters of all other columns are zero
ChannelSums movingSums(const ChannelStatistics& channel,
                       const std::vector<int>& columns,
                       const Eigen::VectorXd& beta);

/// ||Y beta||^2 over the moving rows of one channel.
/// @param columns, beta  as movingSums
double squaredModel(const ChannelStatistics& channel,
                    const std::vector<int>& columns,
                    const Eigen::VectorXd& beta);

/// Root mean square residual of each channel over its moving rows; 0 if it has none.
/// @param columns, beta  as movingSums
Eigen::VectorXd channelResidual(const Statistics& statistics,
                                const std::vector<int>& columns,
                                const Eigen::VectorXd& beta);

/// Root mean square effort of each channel over its moving rows; 0 if it has none.
Eigen::VectorXd channelEffort(const Statistics& statistics);

}  // namespace dynid
