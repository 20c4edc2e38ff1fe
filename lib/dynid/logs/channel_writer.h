#pragma once

#include "dynid/logs/h5_output.h"
#include "dynid/logs/log.h"
#include "dynid/logs/units.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// A dataset to which rows are appended, and the member of a block from which they are taken.
struct ChannelWriter {
  std::string name;
  Eigen::MatrixXd RawSignals::*member;
  size_t growing;
};

/// Writes the attribute `unit`, or `unit_per_joint` if there are prismatic and revolute joints, in
/// SI.
/// @param prismatic one per joint; empty: all revolute
void setUnits(H5Output& file,
              const std::string& name,
              Quantity quantity,
              size_t joints,
              const std::vector<bool>& prismatic);

/// Creates a dataset [rows, joints] with its units. @returns its index for `H5Output::append`
size_t createChannel(H5Output& file,
                     const std::string& name,
                     Quantity quantity,
                     size_t joints,
                     const std::vector<bool>& prismatic,
                     int compression);

}  // namespace dynid
