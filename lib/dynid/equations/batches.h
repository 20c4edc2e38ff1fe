#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace dynid {

/// Calls `work(batch)` for consecutive batches of the samples, each small enough for the cache.
void inBatches(const std::vector<Eigen::Index>& samples,
               const std::function<void(const std::vector<Eigen::Index>&)>& work);
void inBatches(Segment samples, const std::function<void(Segment)>& work);

}  // namespace dynid
