// NOLINTBEGIN(bugprone-macro-parentheses)
#define DYNID_DENSE_NAMESPACE dense_sse2
#define DYNID_DENSE_EIGEN eigen_of_sse2
// NOLINTEND(bugprone-macro-parentheses)
#include "dynid/kernels/dense.inc"
