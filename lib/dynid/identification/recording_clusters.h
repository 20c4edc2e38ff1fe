#pragma once

#include "dynid/estimation/block_clusters.h"
#include "dynid/statistics/recordings.h"

namespace dynid {

/// The clusters of the recordings' blocks for the covariance (clusterBlocks): every log with its
/// own period. Logs that share a block count as one whose motion does not repeat.
BlockClusters blockClusters(const Recordings& recordings);

}  // namespace dynid
