#include "dynid/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace dynid {

void parallelFor(int count, int threads, const std::function<void(int)>& work) {
  if (threads <= 1 || count <= 1) {
    for (int i = 0; i < count; ++i) work(i);
    return;
  }
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<int> next = 0;
  std::atomic<bool> failed = false;
  const auto run = [&] {
    for (int i = next++; i < count && !failed; i = next++) {
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (int t = 1; t < std::min(threads, count); ++t) others.emplace_back(run);
    run();
  }
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

void parallelRanges(std::ptrdiff_t count,
                    int threads,
                    const std::function<void(std::ptrdiff_t first, std::ptrdiff_t end)>& work) {
  constexpr std::ptrdiff_t kRangesPerThread = 4;  // so that no thread waits long for another
  if (count <= 0) return;
  const std::ptrdiff_t ranges = threads <= 1 ? 1 : std::min(count, kRangesPerThread * threads);
  parallelFor(static_cast<int>(ranges), threads, [&](int range) {
    work(count * range / ranges, count * (range + 1) / ranges);
  });
}

}  // namespace dynid
