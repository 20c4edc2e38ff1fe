#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dynid {

/// What stands between a chunk's numbers and its bytes in an HDF5 file, in the usual order.
enum class ChunkFilter { kShuffle, kDeflate, kFletcher32 };

/// Undoes the filters of chunks, as HDF5 would; for threads that may not call it.
class ChunkDecoder {
 public:
  /// @param filters  as they were applied, each once at most and in the order above
  /// @param element_bytes  of a number
  ChunkDecoder(std::vector<ChunkFilter> filters, std::size_t element_bytes)
      : filters_(std::move(filters)), element_bytes_(element_bytes) {}

  /// @param stored   the chunk's bytes in the file
  /// @param skipped  bit i: filter i was not applied to this chunk
  /// @param chunk    its numbers' bytes, as many as a whole chunk has
  /// @returns nullptr, or what is wrong with the chunk
  const char* decode(std::span<const unsigned char> stored,
                     std::uint32_t skipped,
                     std::span<unsigned char> chunk);

 private:
  std::vector<ChunkFilter> filters_;
  std::size_t element_bytes_;
  std::vector<unsigned char> shuffled_;
};

/// HDF5's variant of Fletcher's checksum: of 16-bit words, most significant byte first.
std::uint32_t fletcher32(std::span<const unsigned char> bytes);

}  // namespace dynid
