#pragma once

#include "dynid/estimation/block_clusters.h"
#include "dynid/statistics/recordings.h"

namespace dynid {

/// Clusters of the recordings' blocks for the covariance (clusterBlocks), with the motion period of
/// each log. Logs that share a block are treated as one log whose motion does not repeat.
BlockClusters blockClusters(const Recordings& recordings);

}  // namespace dynid
