#include "dynid/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dynid {
namespace {

TEST(Parallel, EveryCallIsMadeOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const int count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> calls(count);
      parallelFor(count, threads, [&](int i) { ++calls[i]; });
      for (const auto& n : calls) EXPECT_EQ(n, 1);
    }
  }
}

TEST(Parallel, RangesHoldEveryIndexOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const std::ptrdiff_t count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> calls(count);
      parallelRanges(count, threads, [&](std::ptrdiff_t first, std::ptrdiff_t end) {
        EXPECT_LT(first, end);
        for (std::ptrdiff_t i = first; i < end; ++i) ++calls[i];
      });
      for (const auto& n : calls) EXPECT_EQ(n, 1);
    }
  }
}

TEST(Parallel, TwoThreadsWorkAtTheSameTime) {
  std::atomic<int> inside = 0;
  parallelFor(2, 2, [&](int) {  // each waits for the other
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
}

TEST(Parallel, TheFirstExceptionIsThrownAfterAllCallsHaveEnded) {
  for (const int threads : {1, 3}) {
    std::atomic<int> running = 0;
    try {
      parallelFor(100, threads, [&](int i) {
        ++running;
        if (i == 0) {
          --running;
          throw std::runtime_error("first");
        }
        --running;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_EQ(running, 0);
  }
}

}  // namespace
}  // namespace dynid
