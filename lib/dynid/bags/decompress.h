#pragma once

#include "dynid/bags/byte_stream.h"

#include <memory>
#include <string_view>
#include <vector>

namespace dynid {

/// Undoes a compression while reading, in constant memory (at most 128 MiB, which zstd may ask for
/// with `--long`; a few hundred kilobytes usually).
/// @param kind    "zstd", "lz4" (frame format) or "bz2"; "" or "none" copies
/// @param stream  compressed; must outlive the result
/// @returns a stream that throws DamagedBytes where the compressed data is damaged or cut
/// @throws DamagedBytes for a compression that is not known
std::unique_ptr<ByteStream> decompressed(std::string_view kind, ByteStream& stream);

/// True for bytes that start as a zstd frame.
bool startsAsZstd(Bytes bytes);

/// The content of zstd frames of at most `max_size` bytes.
/// @throws DamagedBytes if it is longer, or damaged
void decompressZstd(Bytes compressed, size_t max_size, std::vector<std::uint8_t>& content);

}  // namespace dynid
