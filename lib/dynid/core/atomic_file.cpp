#include "dynid/core/atomic_file.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace dynid {
namespace {

constexpr std::string_view kMark = ".partial-";
// Limits the part of the output's name in a temporary name: at most 255 bytes in total
constexpr std::size_t kLongestName = 180;

// Fixed slots of C strings, which a signal handler can read without locks or allocation.
constexpr int kMaxUnfinished = 64;
constexpr std::size_t kMaxPath = 4096;
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

std::atomic<int>& replacements() {
  static std::atomic<int> count{0};
  return count;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw OutputError(fmt::format("{}: {}", path.string(), why));
}

/// Identifies this machine and container among those that share a folder: process numbers are valid
/// only within it.
std::string machine() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  struct stat processes {};
  stat("/proc/self/ns/pid", &processes);
  return sha256(fmt::format("{} {}", host.data(), processes.st_ino)).substr(0, 8);
}

/// Prefix of the names of all temporary files of `target`.
std::string temporaryPrefix(const std::filesystem::path& target) {
  return target.filename().string().substr(0, kLongestName) + std::string(kMark) + machine() + "-";
}

std::filesystem::path folderOf(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

/// Removes temporary files that killed processes left from earlier attempts to write the same file.
void removeStale(const std::filesystem::path& target, const std::string& prefix) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folderOf(target), error);
  for (const std::filesystem::directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    long process = 0;
    const char* digits = name.data() + prefix.size();
    const auto [stop, bad] = std::from_chars(digits, name.data() + name.size(), process);
    const bool whole = bad == std::errc() && stop != name.data() + name.size() && *stop == '-';
    if (!whole || process <= 0) continue;
    if (::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH) continue;
    ::unlink(entry->path().c_str());
  }
}

/// The file to which a symbolic link leads; otherwise `path` itself.
std::filesystem::path followed(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  std::filesystem::path target = std::filesystem::canonical(path, error);
  if (error && std::filesystem::is_fifo(path)) return path;  // /dev/stdout
  if (error)
    refuse(path,
           "is a symbolic link to a file that does not exist; remove the link, or give the name "
           "of the file itself");
  return target;
}

std::string randomText() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), target_(followed(path_)) {
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    refuse(path_, "is a directory; give the name of a file to write");
  if (exists && !S_ISREG(old.st_mode))
    refuse(path_,
           "is a device or pipe, which a finished file cannot replace; give the name of a file to "
           "write");
  if (exists && ::access(target_.c_str(), W_OK) != 0)
    refuse(path_, "cannot be written: " + systemError() + "; the file is write-protected");
  const std::string prefix = temporaryPrefix(target_);
  removeStale(target_, prefix);
  const mode_t mode = exists ? old.st_mode & 07777 : 0666;
  int descriptor = -1;
  do {  // until the random name does not exist yet
    temporary_ = folderOf(target_) / fmt::format("{}{}-{}", prefix, getpid(), randomText());
    registerUnfinished(temporary_.string());
    descriptor =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0) forgetUnfinished(temporary_.string());
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0)
    refuse(
        path_,
        "cannot be written: " + systemError() + "; choose a directory that exists and is writable");
  if (exists) ::fchmod(descriptor, mode);  // independent of the umask
  ::close(descriptor);
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
  forgetUnfinished(temporary_.string());
}

void AtomicFile::flush() const {
  const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const std::string why = synced ? "" : systemError();
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) refuse(path_, "cannot be written: " + why);
}

void AtomicFile::replace() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
    refuse(path_, "cannot be written: " + systemError());
  committed_ = true;
  forgetUnfinished(temporary_.string());
  // The directory entry has to survive a power failure too. A file system that cannot flush a
  // directory returns EINVAL.
  const int folder = ::open(folderOf(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

void AtomicFile::commit() {
  flush();
  replace();
}

void removeUnfinishedFiles() noexcept {
  for (Slot& slot : slots())
    if (slot.ready) ::unlink(slot.path.data());
}

ReplacementInProgress::ReplacementInProgress() noexcept { ++replacements(); }
ReplacementInProgress::~ReplacementInProgress() { --replacements(); }
bool replacementInProgress() noexcept { return replacements() > 0; }

}  // namespace dynid
