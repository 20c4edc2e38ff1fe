#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dynid {

/// Filters between the numbers of a chunk and its bytes in an HDF5 file, in their usual order.
enum class ChunkFilter { kShuffle, kDeflate, kFletcher32 };

/// Reverses the filters of chunks as HDF5 does, for threads that may not call HDF5.
class ChunkDecoder {
 public:
  /// @param filters  in the order in which they were applied, each at most once and in the order
  ///     above
  /// @param element_bytes  size of a number
  ChunkDecoder(std::vector<ChunkFilter> filters, std::size_t element_bytes)
      : filters_(std::move(filters)), element_bytes_(element_bytes) {}

  /// @param stored   bytes of the chunk in the file
  /// @param skipped  bit i: filter i was not applied to this chunk
  /// @param chunk    result: the bytes of its numbers, with the size of a whole chunk
  /// @returns nullptr, or a description of the error
  const char* decode(std::span<const unsigned char> stored,
                     std::uint32_t skipped,
                     std::span<unsigned char> chunk);

 private:
  std::vector<ChunkFilter> filters_;
  std::size_t element_bytes_;
  std::vector<unsigned char> shuffled_;
};

/// Fletcher's checksum in the variant of HDF5: over 16-bit words, most significant byte first.
std::uint32_t fletcher32(std::span<const unsigned char> bytes);

}  // namespace dynid
