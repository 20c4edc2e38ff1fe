#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace dynid {

/// Working memory for a kernel, aligned to cache lines. It grows on demand and does not keep its
/// contents; a copy starts empty.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) {}
  Scratch& operator=(const Scratch&) { return *this; }
  Scratch(Scratch&&) = default;
  Scratch& operator=(Scratch&&) = default;
  ~Scratch() = default;

  /// Memory for at least this many doubles. Invalidates pointers returned before.
  double* atLeast(std::size_t numbers) {
    if (numbers > size_) {
      data_.reset();
      data_.reset(static_cast<double*>(::operator new(numbers * sizeof(double), kLine)));
      size_ = numbers;
    }
    return data_.get();
  }

 private:
  static constexpr std::align_val_t kLine{64};
  struct Release {
    void operator()(double* data) const { ::operator delete(data, kLine); }
  };
  std::unique_ptr<double[], Release> data_;
  std::size_t size_ = 0;
};

}  // namespace dynid
