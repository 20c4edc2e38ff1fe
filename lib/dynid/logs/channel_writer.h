#pragma once

#include "dynid/logs/h5_output.h"
#include "dynid/logs/log.h"
#include "dynid/logs/units.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// A growing channel of a file and the member of a block it is filled from.
struct ChannelWriter {
  std::string name;
  Eigen::MatrixXd RawSignals::*member;
  size_t growing;
};

/// Attributes `unit`, or `unit_per_joint` where prismatic and revolute joints stand side by side,
/// in SI.
/// @param prismatic one per joint, or empty: all revolute
void setUnits(H5Output& file,
              const std::string& name,
              Quantity quantity,
              size_t joints,
              const std::vector<bool>& prismatic);

/// A growing dataset [rows, joints] with its units; its number for `H5Output::append`.
size_t createChannel(H5Output& file,
                     const std::string& name,
                     Quantity quantity,
                     size_t joints,
                     const std::vector<bool>& prismatic,
                     int compression);

}  // namespace dynid
