/// Compiled for this machine (-march=native): a yardstick, not part of the toolkit.

#include "peak.h"

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
#elif defined(__AVX__)
constexpr int kLanes = 4;
#else
constexpr int kLanes = 2;
#endif
typedef double Pack __attribute__((vector_size(8 * kLanes)));
constexpr int kChains = 12;

}  // namespace

double multiplyAdd(long rounds) {
  Pack sum[kChains];
  for (int i = 0; i < kChains; ++i) sum[i] = Pack{} + 0.1 * i;
  const Pack shrink = Pack{} + 0.999999;
  for (long k = 0; k < rounds; ++k) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sum[i] = sum[i] * shrink + shrink;
  }
  for (int i = 1; i < kChains; ++i) sum[0] += sum[i];
  volatile double used = sum[0][0];  // or the compiler would drop the work
  static_cast<void>(used);
  return 2.0 * kLanes * kChains * static_cast<double>(rounds);
}
