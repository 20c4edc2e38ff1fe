#include "dynid/logs/chunk_filters.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <libdeflate.h>
#include <memory>
#include <utility>

namespace dynid {
namespace {

using Bytes = std::span<const unsigned char>;

struct DecompressorDeleter {
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
};

bool inflate(Bytes stored, std::span<unsigned char> chunk) {
  thread_local const std::unique_ptr<libdeflate_decompressor, DecompressorDeleter> decompressor(
      libdeflate_alloc_decompressor());
  return decompressor != nullptr && libdeflate_zlib_decompress(decompressor.get(),
                                                               stored.data(),
                                                               stored.size(),
                                                               chunk.data(),
                                                               chunk.size(),
                                                               nullptr) == LIBDEFLATE_SUCCESS;
}

// Exchanges off-diagonal blocks of `Bits` bits. Repeated for all block sizes, this transposes eight
// rows of eight bytes.
template <int Bits>
void swapBlocks(std::array<std::uint64_t, 8>& rows, std::uint64_t low_blocks) {
  constexpr std::size_t kApart = Bits / 8;
  for (std::size_t i = 0; i < 8; ++i) {
    if ((i & kApart) != 0) continue;
    const std::uint64_t change = ((rows[i] >> Bits) ^ rows[i + kApart]) & low_blocks;
    rows[i + kApart] ^= change;
    rows[i] ^= change << Bits;
  }
}

// Reverses shuffle, which stores the first bytes of all numbers, then all second bytes, and so on.
void unshuffle(Bytes shuffled, std::size_t element_bytes, std::span<unsigned char> chunk) {
  const std::size_t count = chunk.size() / element_bytes;
  std::size_t done = 0;
  for (; element_bytes == 8 && done + 8 <= count; done += 8) {
    std::array<std::uint64_t, 8> rows;
    for (std::size_t b = 0; b < 8; ++b)
      std::memcpy(&rows[b], shuffled.data() + b * count + done, 8);
    swapBlocks<32>(rows, 0x00000000FFFFFFFF);
    swapBlocks<16>(rows, 0x0000FFFF0000FFFF);
    swapBlocks<8>(rows, 0x00FF00FF00FF00FF);
    std::memcpy(chunk.data() + 8 * done, rows.data(), 64);
  }
  for (; done < count; ++done)
    for (std::size_t b = 0; b < element_bytes; ++b)
      chunk[element_bytes * done + b] = shuffled[b * count + done];
}

bool checksumHolds(Bytes stored) {
  std::array<unsigned char, 4> sum{};
  const std::uint32_t expected = fletcher32(stored.first(stored.size() - 4));
  for (std::size_t i = 0; i < 4; ++i) sum[i] = static_cast<unsigned char>(expected >> (8 * i));
  const unsigned char* end = stored.data() + stored.size() - 4;
  if (std::equal(sum.begin(), sum.end(), end)) return true;
  // Files written before HDF5 1.6.3 have the bytes of each half exchanged.
  std::swap(sum[0], sum[1]);
  std::swap(sum[2], sum[3]);
  return std::equal(sum.begin(), sum.end(), end);
}

}  // namespace

std::uint32_t fletcher32(Bytes bytes) {
  // Sums over every eighth word, so that eight words can be added at a time. Exchanging the bytes
  // of a word multiplies it by 256 modulo 65535, which is done at the end.
  constexpr std::uint64_t kModulus = 65535;
  constexpr std::size_t kLanes = 8, kSteps = 128;  // 32-bit sums do not overflow within kSteps
  std::uint64_t first = 0, second = 0;
  const std::size_t words = bytes.size() / 2;
  std::size_t done = 0;
  while (done < words) {
    const std::size_t steps = std::min(kSteps, (words - done) / kLanes);
    if (steps == 0) break;
    std::array<std::uint32_t, kLanes> sum{}, sums{};
    for (std::size_t step = 0; step < steps; ++step) {
      std::array<std::uint16_t, kLanes> word;
      std::memcpy(word.data(), bytes.data() + 2 * (done + step * kLanes), sizeof(word));
      for (std::size_t l = 0; l < kLanes; ++l) {
        sum[l] += word[l];
        sums[l] += sum[l];
      }
    }
    const std::uint64_t count = steps * kLanes;
    second += count * first;
    for (std::size_t l = 0; l < kLanes; ++l) {
      first += sum[l];
      second += kLanes * std::uint64_t{sums[l]} - l * std::uint64_t{sum[l]};
    }
    first %= kModulus;
    second %= kModulus;
    done += count;
  }
  const auto add = [&](std::uint64_t word) {
    first += word;
    second += first;
  };
  for (; done < words; ++done) add(bytes[2 * done] | std::uint64_t{bytes[2 * done + 1]} << 8);
  if (bytes.size() % 2 != 0) add(bytes[bytes.size() - 1]);
  const bool zeros =
      std::all_of(bytes.begin(), bytes.end(), [](unsigned char b) { return b == 0; });
  // HDF5 adds the carry bits instead of dividing: a sum is zero only if all bytes are zero.
  const auto folded = [&](std::uint64_t sum) -> std::uint32_t {
    const std::uint64_t rest = sum % kModulus * 256 % kModulus;
    return static_cast<std::uint32_t>(rest == 0 && !zeros ? kModulus : rest);
  };
  return folded(second) << 16 | folded(first);
}

const char* ChunkDecoder::decode(Bytes stored,
                                 std::uint32_t skipped,
                                 std::span<unsigned char> chunk) {
  constexpr const char* kWrongSize = "it has too few or too many bytes";
  const auto applied = [&](std::size_t i) { return (skipped >> i & 1U) == 0; };
  for (std::size_t i = filters_.size(); i-- > 0;) {
    if (!applied(i)) continue;
    if (filters_[i] == ChunkFilter::kFletcher32) {
      if (stored.size() < 4 || !checksumHolds(stored)) return "its checksum is wrong";
      stored = stored.first(stored.size() - 4);
    } else if (filters_[i] == ChunkFilter::kDeflate) {
      const bool numbers = i == 0 || !applied(0);
      if (!numbers) shuffled_.resize(chunk.size());
      const std::span<unsigned char> to = numbers ? chunk : std::span(shuffled_);
      if (!inflate(stored, to)) return "its compressed bytes are damaged";
      stored = to;
    } else {
      if (stored.size() != chunk.size()) return kWrongSize;
      unshuffle(stored, element_bytes_, chunk);
      stored = chunk;
    }
  }
  if (stored.size() != chunk.size()) return kWrongSize;
  if (stored.data() != chunk.data()) std::copy(stored.begin(), stored.end(), chunk.begin());
  return nullptr;
}

}  // namespace dynid
