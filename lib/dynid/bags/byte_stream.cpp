#include "dynid/bags/byte_stream.h"

#include "dynid/core/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dynid {
namespace {

constexpr size_t kBuffer = size_t{256} << 10;

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& path, std::function<void(std::uint64_t)> on_read)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      on_read_(std::move(on_read)) {
  if (descriptor_ < 0)
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw InputError(
        fmt::format("{}: is not a regular file; give the path of a recording", path.string()));
  }
}

FileBytes::~FileBytes() { ::close(descriptor_); }

size_t FileBytes::read(std::uint8_t* into, size_t count) {
  while (true) {
    const ssize_t got = ::read(descriptor_, into, count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DamagedBytes(fmt::format("cannot be read on: {}", std::strerror(errno)));
    position_ += static_cast<std::uint64_t>(got);
    if (on_read_) on_read_(position_);
    return static_cast<size_t>(got);
  }
}

size_t MemoryBytes::read(std::uint8_t* into, size_t count) {
  const size_t taken = std::min(count, left_.size());
  std::copy_n(left_.begin(), taken, into);
  left_ = left_.subspan(taken);
  return taken;
}

void BufferedBytes::updateChecksum() {
  checksum_ = libdeflate_crc32(checksum_, buffer_.data() + checked_, begin_ - checked_);
  checked_ = begin_;
}

std::uint32_t BufferedBytes::checksum() {
  updateChecksum();
  return checksum_;
}

void BufferedBytes::fill(size_t wanted) {
  if (end_ - begin_ >= wanted) return;
  updateChecksum();
  if (buffer_.size() < wanted || buffer_.empty()) buffer_.resize(std::max(wanted, kBuffer));
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  passed_ += begin_;
  end_ -= begin_;
  begin_ = checked_ = 0;
  while (end_ < wanted) {
    const size_t got = stream_.read(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) return;
    end_ += got;
  }
}

Bytes BufferedBytes::view(size_t count) {
  fill(std::min(count, kMaxView));
  return {buffer_.data() + begin_, std::min(count, end_ - begin_)};
}

Bytes BufferedBytes::viewSome(size_t count) {
  fill(std::min<size_t>(count, 1));
  return {buffer_.data() + begin_, std::min(count, end_ - begin_)};
}

bool BufferedBytes::skip(std::uint64_t count) {
  while (count > 0) {
    const Bytes some = viewSome(std::min<std::uint64_t>(count, kBuffer));
    if (some.empty()) return false;
    advance(some.size());
    count -= some.size();
  }
  return true;
}

size_t LimitedBytes::read(std::uint8_t* into, size_t count) {
  const Bytes some = from_.viewSome(std::min<std::uint64_t>(count, left_));
  std::copy(some.begin(), some.end(), into);
  from_.advance(some.size());
  left_ -= some.size();
  return some.size();
}

}  // namespace dynid
