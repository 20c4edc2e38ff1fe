#if defined(__x86_64__)
// NOLINTBEGIN(bugprone-macro-parentheses)
#define DYNID_DENSE_NAMESPACE dense_avx2
#define DYNID_DENSE_EIGEN eigen_of_avx2
// NOLINTEND(bugprone-macro-parentheses)
#include "dynid/kernels/dense.inc"
#endif
