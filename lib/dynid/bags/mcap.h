#pragma once

#include "dynid/bags/bag_scan.h"

namespace dynid {

/// Reads an MCAP file from its first byte to the end of its data section, in constant memory.
///
/// Records are read in the order of the file, and chunks (uncompressed, lz4, zstd) as they occur.
/// The index is not used, so that all complete records of an unfinished file are read. Checksums of
/// chunks and of the data section are checked if the file has them. Format: MCAP specification,
/// https://mcap.dev/spec, "Records".
/// @throws DamagedBytes if the file does not start as MCAP; later damage is reported to `scan`
void readMcap(ByteStream& file, BagScan& scan);

/// Whether the bytes (at least eight) begin as an MCAP file.
bool startsAsMcap(Bytes bytes);

}  // namespace dynid
