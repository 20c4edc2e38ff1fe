#pragma once

#include <cstddef>
#include <functional>

namespace dynid {

/// Calls work(0), ..., work(count - 1), each once, on up to `threads` threads, of which one is the
/// caller's. The calls must not depend on each other's results or order.
/// @throws what the call with the smallest index threw, after all calls that had begun
void parallelFor(int count, int threads, const std::function<void(int)>& work);

/// Divides 0, ..., count - 1 into consecutive ranges, a few per thread, and calls work(first, end)
/// for each of them like parallelFor. The number of ranges depends on `threads`: what is computed
/// for one index must not depend on the range in which it lies.
void parallelRanges(std::ptrdiff_t count,
                    int threads,
                    const std::function<void(std::ptrdiff_t first, std::ptrdiff_t end)>& work);

}  // namespace dynid
