// The functions that OpenSSL 3 recommends instead (EVP) allocate memory; without any left they
// crash or return no digest.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "dynid/core/files.h"

#include "dynid/core/atomic_file.h"
#include "dynid/core/errors.h"
#include "dynid/core/read_files.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <openssl/sha.h>
#include <sys/stat.h>
#include <vector>

namespace dynid {
namespace {

class Sha256 {
 public:
  Sha256() { SHA256_Init(&state_); }
  void add(const char* bytes, size_t size) { SHA256_Update(&state_, bytes, size); }
  std::string hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256_Final(digest.data(), &state_);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : digest) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }

 private:
  SHA256_CTX state_{};
};

std::ifstream open(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.string() + ": cannot be read: " + systemError());
  noteReadFile(path);
  return in;
}

/// Reads up to `count` bytes. @returns the number of bytes read
size_t readSome(std::ifstream& in, const std::filesystem::path& path, char* bytes, size_t count) {
  in.read(bytes, static_cast<std::streamsize>(count));
  if (in.bad()) throw InputError(path.string() + ": cannot be read to its end: " + systemError());
  return static_cast<size_t>(in.gcount());
}

}  // namespace

std::string systemError() { return std::strerror(errno); }

std::int64_t requireRegularFile(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw InputError(path.string() + ": cannot be read: " + systemError());
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
  text.resize(readSome(in, path, text.data(), text.size()));
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
    digest.add(buffer.data(), readSome(in, path, buffer.data(), buffer.size()));
    if (stop != nullptr && *stop) return {};
  }
  return digest.hex();
}

void writeTextFile(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  std::ofstream out(file.temporary(), std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw OutputError(path.string() + ": cannot be written: " + systemError() +
                      "; nothing was changed there");
  file.commit();
}

}  // namespace dynid
