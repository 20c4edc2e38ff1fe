#if defined(__x86_64__)
// NOLINTBEGIN(bugprone-macro-parentheses)
#define DYNID_KERNEL_NAMESPACE kernel_avx2
#define DYNID_KERNEL_LANES 4
// NOLINTEND(bugprone-macro-parentheses)
#include "dynid/kernels/exponentials.inc"
#include "dynid/kernels/gram.inc"
#include "dynid/kernels/lowpass.inc"
#include "dynid/kernels/regressor.inc"
#endif
