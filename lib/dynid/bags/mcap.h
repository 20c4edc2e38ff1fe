#pragma once

#include "dynid/bags/bag_scan.h"

namespace dynid {

/// Reads an MCAP file from its first byte to the end of its data section, in constant memory.
///
/// Records are taken in the order of the file, chunks (uncompressed, lz4, zstd) are opened on the
/// way, and no index is used, so that unfinished files give all that is complete. Checksums of
/// chunks and of the data section are compared where the file has them.
/// Format: MCAP specification, https://mcap.dev/spec, "Records".
/// @throws DamagedBytes if the file does not start as MCAP; what is damaged later is reported to
/// `scan`
void readMcap(ByteStream& file, BagScan& scan);

/// True for bytes (at least eight) that start as an MCAP file.
bool startsAsMcap(Bytes bytes);

}  // namespace dynid
