#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace dynid {

/// Owns one HDF5 identifier (hid_t is a 64-bit integer). An identifier that is not closed can turn
/// success into a crash at exit, so that none lives outside such a handle.
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
  /// Closes now; false if HDF5 reports that this failed (a file that could not be flushed).
  bool reset() {
    const std::int64_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// Switches off HDF5's printing of errors (for this thread) and its loading of filter plugins.
void quietHdf5();

/// The innermost sentence of HDF5's error stack (of this thread), and clears it; "" if there is
/// none.
std::string takeHdf5Reason();

}  // namespace dynid
