// NOLINTBEGIN(bugprone-macro-parentheses)
#define DYNID_KERNEL_NAMESPACE kernel_sse2
#define DYNID_KERNEL_LANES 2
// NOLINTEND(bugprone-macro-parentheses)
#include "dynid/kernels/exponentials.inc"
#include "dynid/kernels/gram.inc"
#include "dynid/kernels/lowpass.inc"
#include "dynid/kernels/regressor.inc"
