#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace dynid {

/// Owns one HDF5 identifier (hid_t is a 64-bit integer). An identifier that is not closed can cause
/// a crash at exit after success; therefore all identifiers are held by this class.
class H5Id {
 public:
  using Close = int (*)(std::int64_t);
  H5Id() = default;
  H5Id(std::int64_t id, Close close) : id_(id), close_(close) {}
  ~H5Id() { reset(); }
  H5Id(H5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  H5Id& operator=(H5Id&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }

  std::int64_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  /// Closes the identifier; false if HDF5 reports that this failed (a file that could not be
  /// flushed).
  bool reset() {
    const std::int64_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// Disables HDF5's error output (for this thread) and its loading of filter plugins.
/// @throws std::bad_alloc if HDF5 cannot initialise itself
void quietHdf5();

/// The innermost message of this thread's HDF5 error stack, which is then cleared; "" if there is
/// none.
/// @throws std::bad_alloc if the cause is that HDF5 got no memory
std::string takeHdf5Reason();

}  // namespace dynid
