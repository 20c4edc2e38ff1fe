#pragma once

#include "dynid/logs/h5_chunks.h"

#include <Eigen/Core>

#include <cstdint>

namespace dynid {

/// Position and effort of some rows of a log as stored in the file, possibly still compressed.
class StoredRows {
 public:
  std::int64_t count() const { return count_; }

 private:
  friend class LogReader;
  /// Numbers in SI if HDF5 has read them, otherwise stored chunks.
  struct Channel {
    Eigen::MatrixXd numbers;
    StoredChunks chunks;
  };
  std::int64_t first_ = 0, count_ = 0;
  Channel time_, position_, effort_;
};

}  // namespace dynid
