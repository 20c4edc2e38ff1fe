#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace dynid {

using Bytes = std::span<const std::uint8_t>;

/// Thrown if the bytes of a recording contradict their format; the message states how. It is caught
/// where the place in the file is known.
class DamagedBytes : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes that are read once, from the beginning to the end.
class ByteStream {
 public:
  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;
  /// Reads at most `count` bytes to `into`. @returns the number read, 0 only at the end
  /// @throws DamagedBytes if the remaining bytes cannot be read
  virtual size_t read(std::uint8_t* into, size_t count) = 0;
};

/// A regular file.
class FileBytes final : public ByteStream {
 public:
  /// @param on_read  called after each read with the number of bytes read so far; may throw to stop
  /// @throws InputError if the file is missing, not regular, or unreadable
  explicit FileBytes(const std::filesystem::path& path,
                     std::function<void(std::uint64_t)> on_read = {});
  ~FileBytes() override;
  size_t read(std::uint8_t* into, size_t count) override;

 private:
  int descriptor_;
  std::uint64_t position_ = 0;
  std::function<void(std::uint64_t)> on_read_;
};

/// Bytes in memory, for tests and fuzzing.
class MemoryBytes final : public ByteStream {
 public:
  explicit MemoryBytes(Bytes bytes) : left_(bytes) {}
  size_t read(std::uint8_t* into, size_t count) override;

 private:
  Bytes left_;
};

/// A buffer over a stream: the next bytes can be viewed before they are consumed.
class BufferedBytes {
 public:
  /// Largest number of bytes that can be viewed at once.
  static constexpr size_t kMaxView = size_t{16} << 20;

  explicit BufferedBytes(ByteStream& stream) : stream_(stream) {}

  /// The next `count` bytes (at most kMaxView), or fewer at the end; valid until the next call.
  Bytes view(size_t count);
  /// Up to `count` of the next bytes without filling the buffer, at least one; empty at the end.
  Bytes viewSome(size_t count);
  /// Consumes bytes that were viewed.
  void advance(size_t count) { begin_ += count; }
  /// Skips `count` bytes. @returns false if the stream ends before that
  bool skip(std::uint64_t count);
  /// Number of bytes consumed so far.
  std::uint64_t position() const { return passed_ + begin_; }
  /// CRC-32 (IEEE 802.3, as in zlib) of the bytes consumed so far.
  std::uint32_t checksum();

 private:
  void fill(size_t wanted);
  void updateChecksum();

  ByteStream& stream_;
  std::vector<std::uint8_t> buffer_;
  size_t begin_ = 0, end_ = 0;
  size_t checked_ = 0;        // the bytes of the buffer before this index are in the checksum
  std::uint64_t passed_ = 0;  // number of bytes removed from the buffer
  std::uint32_t checksum_ = 0;
};

/// The next `count` bytes of a buffered stream as a separate stream.
class LimitedBytes final : public ByteStream {
 public:
  LimitedBytes(BufferedBytes& from, std::uint64_t count) : from_(from), left_(count) {}
  size_t read(std::uint8_t* into, size_t count) override;
  /// Number of bytes not read yet.
  std::uint64_t left() const { return left_; }

 private:
  BufferedBytes& from_;
  std::uint64_t left_;
};

}  // namespace dynid
