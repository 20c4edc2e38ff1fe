#pragma once

#include "dynid/bags/byte_stream.h"

#include <memory>
#include <string_view>
#include <vector>

namespace dynid {

/// A stream that decompresses while reading, in constant memory (usually a few hundred kilobytes;
/// at most 128 MiB, which zstd needs for files written with `--long`).
/// @param kind    "zstd", "lz4" (frame format) or "bz2"; "" or "none": no compression
/// @param stream  compressed; must outlive the result
/// @returns a stream that throws DamagedBytes if the compressed data are damaged or truncated
/// @throws DamagedBytes for an unknown compression
std::unique_ptr<ByteStream> decompressed(std::string_view kind, ByteStream& stream);

/// Whether the bytes begin with a zstd frame.
bool startsAsZstd(Bytes bytes);

/// The content of zstd frames.
/// @param max_size  limit of the content in bytes
/// @throws DamagedBytes if the content is longer, or damaged
void decompressZstd(Bytes compressed, size_t max_size, std::vector<std::uint8_t>& content);

}  // namespace dynid
