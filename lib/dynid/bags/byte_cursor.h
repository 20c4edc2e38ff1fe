#pragma once

#include "dynid/bags/byte_stream.h"

#include <array>
#include <bit>
#include <string_view>

namespace dynid {

/// Reads numbers and texts from bytes in order. Every read checks that enough bytes are left.
class ByteCursor {
 public:
  explicit ByteCursor(Bytes bytes, bool big_endian = false)
      : bytes_(bytes), big_endian_(big_endian) {}

  size_t left() const { return bytes_.size() - at_; }
  size_t position() const { return at_; }

  /// @throws DamagedBytes if fewer bytes are left
  Bytes take(std::uint64_t count) {
    if (count > left()) throw DamagedBytes("a field is longer than what contains it");
    const Bytes taken = bytes_.subspan(at_, static_cast<size_t>(count));
    at_ += taken.size();
    return taken;
  }

  template <typename T>
  T number() {
    const Bytes taken = take(sizeof(T));
    std::array<std::uint8_t, sizeof(T)> raw{};
    for (size_t i = 0; i < sizeof(T); ++i)
      raw[i] =
          taken[big_endian_ == (std::endian::native == std::endian::big) ? i : sizeof(T) - 1 - i];
    return std::bit_cast<T>(raw);
  }

  /// A text: its length in 32 bits, then the bytes.
  std::string_view text() {
    const Bytes taken = take(number<std::uint32_t>());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  /// Skips to the next multiple of `size` bytes from the beginning.
  void align(size_t size) {
    const size_t rest = at_ % size;
    if (rest != 0) take(size - rest);
  }

 private:
  Bytes bytes_;
  size_t at_ = 0;
  bool big_endian_;
};

}  // namespace dynid
