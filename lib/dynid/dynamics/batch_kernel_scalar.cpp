// NOLINTBEGIN(bugprone-macro-parentheses)
#define DYNID_KERNEL_NAMESPACE kernel_scalar
#define DYNID_KERNEL_LANES 1
// NOLINTEND(bugprone-macro-parentheses)
#include "dynid/dynamics/batch_kernel.inc"
