#include "dynid/core/files.h"

#include "dynid/core/errors.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace dynid {
namespace {

// Fixed slots of C strings, so that a signal handler can walk them without locks or allocation.
constexpr int kMaxUnfinished = 64;
constexpr size_t kMaxPath = 4096;
struct Slot {
  std::atomic<bool> used{false};
  std::atomic<bool> ready{false};
  std::array<char, kMaxPath> path{};
};
std::array<Slot, kMaxUnfinished>& slots() {
  static std::array<Slot, kMaxUnfinished> all;
  return all;
}

void registerUnfinished(const std::string& path) {
  if (path.size() + 1 > kMaxPath) return;
  for (Slot& slot : slots()) {
    bool expected = false;
    if (slot.used.compare_exchange_strong(expected, true)) {
      std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
      slot.ready = true;
      return;
    }
  }
}

void forgetUnfinished(const std::string& path) {
  for (Slot& slot : slots()) {
    if (slot.ready && path == slot.path.data()) {
      slot.ready = false;
      slot.used = false;
    }
  }
}

std::string reason() { return std::strerror(errno); }

struct DigestDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }
  void add(const char* bytes, size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      text += kDigits[digest[i] >> 4];
      text += kDigits[digest[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, DigestDeleter> context_;
};

std::ifstream open(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string() + ": cannot be read: " + reason());
  return in;
}

}  // namespace

std::int64_t requireRegularFile(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw InputError(path.string() + ": cannot be read: " + reason());
  if (!S_ISREG(status.st_mode))
    throw InputError(
        path.string() +
        ": is not a regular file; give the path of a file, not of a directory or pipe");
  return status.st_size;
}

std::string readTextFile(const std::filesystem::path& path, size_t max_bytes) {
  const auto size = static_cast<size_t>(requireRegularFile(path));
  std::ifstream in = open(path);
  if (size > max_bytes)
    throw InputError(path.string() + ": is larger than " + std::to_string(max_bytes) +
                     " bytes; this is not the kind of file expected here");
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes.data(), bytes.size());
  return digest.hex();
}

std::string sha256OfFile(const std::filesystem::path& path, const std::atomic<bool>* stop) {
  requireRegularFile(path);
  std::ifstream in = open(path);
  Sha256 digest;
  std::vector<char> buffer(size_t{1} << 20);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    digest.add(buffer.data(), static_cast<size_t>(in.gcount()));
    if (stop != nullptr && *stop) return {};
  }
  return digest.hex();
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored))
    throw OutputError(path_.string() + ": is a directory; give the name of a file to write");
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored))
    throw OutputError(path_.string() +
                      ": is a device or pipe, which a finished file cannot replace; give the name "
                      "of a file to write");
  temporary_ = path_;
  temporary_ += ".partial-" + std::to_string(getpid());
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw OutputError(path_.string() + ": cannot be written: " + reason() +
                      "; choose a directory that exists and is writable");
  ::close(descriptor);
  registerUnfinished(temporary_.string());
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
  forgetUnfinished(temporary_.string());
}

void AtomicFile::commit() {
  const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const std::string why = synced ? "" : reason();
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) throw OutputError(path_.string() + ": cannot be written: " + why);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw OutputError(path_.string() + ": cannot be written: " + reason());
  committed_ = true;
  forgetUnfinished(temporary_.string());
}

void writeTextFile(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  std::ofstream out(file.temporary(), std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw OutputError(path.string() + ": cannot be written: " + reason() +
                      "; nothing was changed there");
  file.commit();
}

void removeUnfinishedFiles() noexcept {
  for (Slot& slot : slots())
    if (slot.ready) ::unlink(slot.path.data());
}

}  // namespace dynid
