#include "dynid/equations/batches.h"

#include "dynid/dynamics/projection.h"

#include <algorithm>

namespace dynid {

void inBatches(Segment samples, const std::function<void(Segment)>& work) {
  for (Eigen::Index first = samples.begin; first < samples.end;
       first += ProjectionRegressor::kBatch)
    work({first, std::min(samples.end, first + ProjectionRegressor::kBatch)});
}

void inBatches(const std::vector<Eigen::Index>& samples,
               const std::function<void(const std::vector<Eigen::Index>&)>& work) {
  inBatches({0, std::ssize(samples)}, [&](Segment batch) {
    work({samples.begin() + batch.begin, samples.begin() + batch.end});
  });
}

}  // namespace dynid
