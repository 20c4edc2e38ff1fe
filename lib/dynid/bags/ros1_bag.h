#pragma once

#include "dynid/bags/bag_scan.h"

namespace dynid {

/// Reads a ROS 1 bag of version 2.0 from its first byte to the end, in constant memory. Records are
/// read in the order of the file, and chunks (uncompressed, bz2, lz4) as they occur. The index is
/// not used, so that all complete records of an unfinished bag (.active) are read. Format:
/// http://wiki.ros.org/Bags/Format/2.0.
/// @throws DamagedBytes if the file does not start as such a bag or is encrypted; later damage is
/// reported to `scan`
void readRos1Bag(ByteStream& file, BagScan& scan);

}  // namespace dynid
