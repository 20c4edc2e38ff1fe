#include "dynid/bags/decompress.h"

#include <algorithm>
#include <bzlib.h>
#include <fmt/format.h>
#include <limits>
#include <lz4frame.h>
#include <zstd.h>

namespace dynid {
namespace {

constexpr size_t kInput = size_t{128} << 10;

/// Common part of the three decompressors: the buffer of compressed bytes.
class Decompressor : public ByteStream {
 protected:
  explicit Decompressor(ByteStream& stream) : stream_(stream), input_(kInput) {}

  /// Reads compressed bytes if the buffer is empty. @returns false at the end of the stream
  bool refill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = stream_.read(input_.data(), input_.size());
    return end_ > 0;
  }

  ByteStream& stream_;
  std::vector<std::uint8_t> input_;
  size_t begin_ = 0, end_ = 0;
};

class Plain final : public ByteStream {
 public:
  explicit Plain(ByteStream& stream) : stream_(stream) {}
  size_t read(std::uint8_t* into, size_t count) override { return stream_.read(into, count); }

 private:
  ByteStream& stream_;
};

class Zstd final : public Decompressor {
 public:
  explicit Zstd(ByteStream& stream) : Decompressor(stream) {}

  size_t read(std::uint8_t* into, size_t count) override {
    ZSTD_outBuffer out{into, count, 0};
    while (out.pos == 0 && count > 0) {
      // Inside a frame, output may be pending without new input.
      const bool more = refill();
      if (!more && frame_complete_) return 0;
      ZSTD_inBuffer in{input_.data(), end_, begin_};
      const size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
      if (ZSTD_isError(result) != 0)
        throw DamagedBytes(fmt::format("zstd data is damaged ({})", ZSTD_getErrorName(result)));
      if (!more && out.pos == 0) throw DamagedBytes("zstd data ends too early");
      begin_ = in.pos;
      frame_complete_ = result == 0;
    }
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
  bool frame_complete_ = false;
};

class Lz4 final : public Decompressor {
 public:
  explicit Lz4(ByteStream& stream) : Decompressor(stream) {
    LZ4F_createDecompressionContext(&context_, LZ4F_VERSION);
  }
  ~Lz4() override { LZ4F_freeDecompressionContext(context_); }

  size_t read(std::uint8_t* into, size_t count) override {
    size_t written = 0;
    while (written == 0 && count > 0) {
      const bool more = refill();
      if (!more && frame_complete_) return 0;
      size_t consumed = end_ - begin_;
      written = count;
      const size_t result =
          LZ4F_decompress(context_, into, &written, input_.data() + begin_, &consumed, nullptr);
      if (LZ4F_isError(result) != 0)
        throw DamagedBytes(fmt::format("lz4 data is damaged ({})", LZ4F_getErrorName(result)));
      if (!more && written == 0) throw DamagedBytes("lz4 data ends too early");
      begin_ += consumed;
      frame_complete_ = result == 0;
    }
    return written;
  }

 private:
  LZ4F_dctx* context_ = nullptr;
  bool frame_complete_ = false;
};

class Bz2 final : public Decompressor {
 public:
  explicit Bz2(ByteStream& stream) : Decompressor(stream) {
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Bz2() override { BZ2_bzDecompressEnd(&state_); }

  size_t read(std::uint8_t* into, size_t count) override {
    if (finished_ || count == 0) return 0;
    const size_t room = std::min<size_t>(count, std::numeric_limits<int>::max());
    state_.next_out = reinterpret_cast<char*>(into);
    state_.avail_out = static_cast<unsigned>(room);
    while (state_.avail_out == room && !finished_) {
      const bool more = refill();
      state_.next_in = reinterpret_cast<char*>(input_.data() + begin_);
      state_.avail_in = static_cast<unsigned>(end_ - begin_);
      const int result = BZ2_bzDecompress(&state_);
      if (result != BZ_OK && result != BZ_STREAM_END)
        throw DamagedBytes(fmt::format("bz2 data is damaged (error {})", result));
      begin_ = end_ - state_.avail_in;
      finished_ = result == BZ_STREAM_END;
      if (!more && !finished_ && state_.avail_out == room)
        throw DamagedBytes("bz2 data ends too early");
    }
    return room - state_.avail_out;
  }

 private:
  bz_stream state_{};
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> decompressed(std::string_view kind, ByteStream& stream) {
  if (kind.empty() || kind == "none") return std::make_unique<Plain>(stream);
  if (kind == "zstd") return std::make_unique<Zstd>(stream);
  if (kind == "lz4") return std::make_unique<Lz4>(stream);
  if (kind == "bz2") return std::make_unique<Bz2>(stream);
  throw DamagedBytes(
      fmt::format("the compression '{}' is not known; known are zstd, lz4, bz2", kind));
}

bool startsAsZstd(Bytes bytes) {
  constexpr std::uint8_t kZstdMagic[] = {0x28, 0xb5, 0x2f, 0xfd};
  return bytes.size() >= 4 &&
         std::equal(std::begin(kZstdMagic), std::end(kZstdMagic), bytes.begin());
}

void decompressZstd(Bytes compressed, size_t max_size, std::vector<std::uint8_t>& content) {
  MemoryBytes memory(compressed);
  Zstd stream(memory);
  content.resize(std::min(max_size, std::max<size_t>(4096, 4 * compressed.size())));
  size_t size = 0;
  while (true) {
    if (size == content.size()) {
      if (size == max_size) {
        std::uint8_t beyond = 0;
        if (stream.read(&beyond, 1) == 0) break;
        throw DamagedBytes(fmt::format("is longer than {} bytes when decompressed", max_size));
      }
      content.resize(std::min(max_size, 2 * size));
    }
    const size_t got = stream.read(content.data() + size, content.size() - size);
    if (got == 0) break;
    size += got;
  }
  content.resize(size);
}

}  // namespace dynid
