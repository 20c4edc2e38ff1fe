#pragma once

#include <functional>

namespace dynid {

/// Calls work(0), ..., work(count - 1), each once, on up to `threads` threads, of which one is the
/// caller's. The calls must not depend on each other's results or order.
/// @throws what the call with the smallest index threw, after all calls that had begun
void parallelFor(int count, int threads, const std::function<void(int)>& work);

}  // namespace dynid
