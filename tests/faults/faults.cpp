// A library to be preloaded (LD_PRELOAD) that lets the n-th call of a kind fail, as in the tests of
// SQLite.
//   DYNID_FAULT=write:3        the third write fails (ENOSPC), later ones succeed
//   DYNID_FAULT=write:3:on     the third and all later writes fail
//   DYNID_FAULT_COUNT=FILE     writes the number of calls of each kind to FILE when main returns
//   DYNID_FAULT_STACKS=FILE    writes the number of the first allocation of every distinct call
//   stack
//                              (the innermost kDepth functions) to FILE when main returns
// Kinds: memory open read write fsync rename fork thread. Only calls after the start of main are
// counted: earlier ones belong to the loader and to the initialisation of libraries.
#undef _FORTIFY_SOURCE  // with which the headers define read() themselves when clang compiles
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum Kind { kMemory, kOpen, kRead, kWrite, kFsync, kRename, kFork, kThread, kKinds };
constexpr const char* kNames[kKinds] = {
    "memory", "open", "read", "write", "fsync", "rename", "fork", "thread"};

std::atomic<bool> armed{false};
std::atomic<long> calls[kKinds];
int faulty_kind = -1;
long faulty_call = 0;
bool from_then_on = false;

// A hash table of the call stacks that have allocated memory, with open addressing.
constexpr int kDepth = 2;
constexpr std::size_t kStacks = std::size_t{1} << 18;
struct Stack {
  std::uint64_t hash;  // 0: the place is free
  long first_call;
};
Stack stacks[kStacks];
bool records_stacks = false;
std::atomic_flag stacks_locked = ATOMIC_FLAG_INIT;
thread_local bool recording = false;

[[gnu::noinline]] void recordStack(long call) {
  if (recording) return;  // backtrace() itself may allocate
  recording = true;
  void* addresses[kDepth + 3];  // the first three are functions of this library
  const int depth = backtrace(addresses, kDepth + 3);
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (int i = 3; i < depth; ++i)
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(addresses[i])) * 1099511628211U;
  if (hash == 0) hash = 1;
  while (stacks_locked.test_and_set(std::memory_order_acquire)) {
  }
  for (std::size_t i = 0; i < kStacks; ++i) {
    Stack& place = stacks[(hash + i) % kStacks];
    if (place.hash == 0) place = {hash, call};
    if (place.hash == hash) break;
  }
  stacks_locked.clear(std::memory_order_release);
  recording = false;
}

[[gnu::noinline]] bool fails(Kind kind, int error) {
  if (!armed.load(std::memory_order_relaxed)) return false;
  const long call = ++calls[kind];
  if (records_stacks && kind == kMemory) recordStack(call);
  if (kind != faulty_kind) return false;
  if (from_then_on ? call < faulty_call : call != faulty_call) return false;
  errno = error;
  return true;
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void readRequest() {
  records_stacks = std::getenv("DYNID_FAULT_STACKS") != nullptr;
  const char* request = std::getenv("DYNID_FAULT");
  if (request == nullptr) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    const std::size_t length = std::strlen(kNames[kind]);
    if (std::strncmp(request, kNames[kind], length) != 0 || request[length] != ':') continue;
    char* end = nullptr;
    faulty_kind = kind;
    faulty_call = std::strtol(request + length + 1, &end, 10);
    from_then_on = std::strcmp(end, ":on") == 0;
  }
}

void writeCounts() {
  const char* file = std::getenv("DYNID_FAULT_COUNT");
  if (file == nullptr) return;
  std::FILE* out = std::fopen(file, "w");
  if (out == nullptr) return;
  for (int kind = 0; kind < kKinds; ++kind)
    std::fprintf(out, "%s %ld\n", kNames[kind], calls[kind].load());
  std::fclose(out);
}

void writeStacks() {
  const char* file = std::getenv("DYNID_FAULT_STACKS");
  if (file == nullptr) return;
  std::FILE* out = std::fopen(file, "w");
  if (out == nullptr) return;
  for (const Stack& stack : stacks)
    if (stack.hash != 0) std::fprintf(out, "%ld\n", stack.first_call);
  std::fclose(out);
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int watchedMain(int argc, char** argv, char** environment) {
  readRequest();
  armed = true;
  const int status = real_main(argc, argv, environment);
  armed = false;
  writeCounts();
  writeStacks();
  return status;
}

// Memory for calls of malloc from within dlsym.
alignas(16) char early[65536];
std::atomic<std::size_t> early_used{0};
void* earlyMemory(std::size_t size) {
  const std::size_t at = early_used.fetch_add((size + 15) / 16 * 16);
  return at + size <= sizeof early ? early + at : nullptr;
}
bool isEarly(const void* p) { return p >= early && p < early + sizeof early; }

using Malloc = void* (*)(std::size_t);
using Calloc = void* (*)(std::size_t, std::size_t);
using Realloc = void* (*)(void*, std::size_t);
using Free = void (*)(void*);
thread_local bool looking = false;

template <typename Function>
Function memoryFunction(std::atomic<void*>& known, const char* name) {
  void* found = known.load(std::memory_order_relaxed);
  if (found == nullptr && !looking) {
    looking = true;
    found = dlsym(RTLD_NEXT, name);
    looking = false;
    known = found;
  }
  return reinterpret_cast<Function>(found);
}

}  // namespace

#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" {

int __libc_start_main(Main main,
                      int argc,
                      char** argv,
                      void (*init)(),
                      void (*fini)(),
                      void (*rtld_fini)(),
                      void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  return next<Start>("__libc_start_main")(
      watchedMain, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(std::size_t size) {
  static std::atomic<void*> known{nullptr};
  const auto real = memoryFunction<Malloc>(known, "malloc");
  if (real == nullptr) return earlyMemory(size);
  return fails(kMemory, ENOMEM) ? nullptr : real(size);
}

void* calloc(std::size_t count, std::size_t size) {
  static std::atomic<void*> known{nullptr};
  const auto real = memoryFunction<Calloc>(known, "calloc");
  if (real == nullptr) return earlyMemory(count * size);  // zero, like all static memory
  return fails(kMemory, ENOMEM) ? nullptr : real(count, size);
}

void* realloc(void* old, std::size_t size) {
  static std::atomic<void*> known{nullptr};
  const auto real = memoryFunction<Realloc>(known, "realloc");
  if (isEarly(old) || real == nullptr) {
    void* fresh = malloc(size);
    if (fresh != nullptr && old != nullptr) std::memcpy(fresh, old, size);
    return fresh;
  }
  return fails(kMemory, ENOMEM) ? nullptr : real(old, size);
}

void free(void* p) {
  static std::atomic<void*> known{nullptr};
  if (p == nullptr || isEarly(p)) return;
  if (const auto real = memoryFunction<Free>(known, "free")) real(p);
}

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(kOpen, EMFILE)) return -1;
  return next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (fails(kOpen, EMFILE)) return -1;
  return next<int (*)(const char*, int, ...)>("open64")(path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  if (fails(kOpen, EMFILE)) return nullptr;
  return next<std::FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  if (fails(kOpen, EMFILE)) return nullptr;
  return next<std::FILE* (*)(const char*, const char*)>("fopen64")(path, mode);
}

ssize_t read(int descriptor, void* to, std::size_t size) {
  if (fails(kRead, EIO)) return -1;
  return next<ssize_t (*)(int, void*, std::size_t)>("read")(descriptor, to, size);
}

ssize_t pread(int descriptor, void* to, std::size_t size, off_t at) {
  if (fails(kRead, EIO)) return -1;
  return next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread")(descriptor, to, size, at);
}

ssize_t pread64(int descriptor, void* to, std::size_t size, off64_t at) {
  if (fails(kRead, EIO)) return -1;
  return next<ssize_t (*)(int, void*, std::size_t, off64_t)>("pread64")(descriptor, to, size, at);
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  if (fails(kWrite, ENOSPC)) return -1;
  return next<ssize_t (*)(int, const void*, std::size_t)>("write")(descriptor, from, size);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (fails(kWrite, ENOSPC)) return -1;
  return next<ssize_t (*)(int, const iovec*, int)>("writev")(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* from, std::size_t size, off_t at) {
  if (fails(kWrite, ENOSPC)) return -1;
  return next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(
      descriptor, from, size, at);
}

ssize_t pwrite64(int descriptor, const void* from, std::size_t size, off64_t at) {
  if (fails(kWrite, ENOSPC)) return -1;
  return next<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64")(
      descriptor, from, size, at);
}

int fsync(int descriptor) {
  if (fails(kFsync, EIO)) return -1;
  return next<int (*)(int)>("fsync")(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  if (fails(kRename, EACCES)) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

pid_t fork() noexcept {
  if (fails(kFork, EAGAIN)) return -1;
  return next<pid_t (*)()>("fork")();
}

int pthread_create(pthread_t* thread,
                   const pthread_attr_t* attributes,
                   void* (*work)(void*),
                   void* argument) noexcept {
  if (fails(kThread, EAGAIN)) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return next<Create>("pthread_create")(thread, attributes, work, argument);
}

}  // extern "C"
