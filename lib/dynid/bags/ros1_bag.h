#pragma once

#include "dynid/bags/bag_scan.h"

namespace dynid {

/// Reads a ROS 1 bag of version 2.0 from its first byte to the end, in constant memory: records in
/// the order of the file, chunks (uncompressed, bz2, lz4) opened on the way, no index used, so that
/// unfinished bags (.active) give all that is complete.
/// Format: http://wiki.ros.org/Bags/Format/2.0.
/// @throws DamagedBytes if the file does not start as such a bag or is encrypted; what is damaged
/// later is reported to `scan`
void readRos1Bag(ByteStream& file, BagScan& scan);

}  // namespace dynid
