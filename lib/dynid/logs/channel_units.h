#pragma once

#include "dynid/logs/h5_input.h"
#include "dynid/logs/log.h"
#include "dynid/logs/units.h"

#include <string>
#include <vector>

namespace dynid {

/// The joints whose columns are read: column of each in the file, and whether it is prismatic.
struct WantedColumns {
  std::vector<size_t> column;
  std::vector<bool> prismatic;
  std::vector<std::string> names;
};

/// The unit of a dataset: its attribute `unit`, or the text of `units`, the name in netCDF, where
/// there is none. Of "seconds since 2024-05-01" that is "seconds". Empty: neither is given.
std::vector<std::string> unitAttribute(const H5Input& input, const std::string& dataset);

/// Factors that convert the requested columns of a channel to SI.
///
/// A missing unit is taken as SI, with a note. A single SI unit for a log with revolute and
/// prismatic joints is taken as the SI unit of each kind, with a note. Any other unit that does not
/// fit its joint is an error.
/// @param place "path:/dataset", for messages
/// @throws InputError if a unit is unknown or does not fit
std::vector<double> channelScales(Quantity quantity,
                                  const ChannelInfo& channel,
                                  const WantedColumns& wanted,
                                  const std::string& place,
                                  std::vector<std::string>& notes);

/// The same for a channel without joints (time).
double seriesScale(Quantity quantity,
                   const ChannelInfo& channel,
                   const std::string& place,
                   std::vector<std::string>& notes);

}  // namespace dynid
