#include "dynid/kernels/instruction_set.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <cstdlib>

namespace dynid {

#define DYNID_KERNELS(name)                                                  \
  namespace name {                                                           \
  void evaluate(const BatchPlan& plan, const BatchRequest& request);         \
  void lowpass(const LowpassRequest& request);                               \
  void gram(const GramRequest& request);                                     \
  void sineAndCosine(const double* x, double* sine, double* cosine);         \
  void hyperbolicTangent(const double* x, double by, long count, double* y); \
  void exponential(const double* x, double by, long count, double* y);       \
  }
DYNID_KERNELS(kernel_scalar)
DYNID_KERNELS(kernel_sse2)
#if defined(__x86_64__)
DYNID_KERNELS(kernel_avx2)
DYNID_KERNELS(kernel_avx512)
#endif
#undef DYNID_KERNELS

std::vector<InstructionSet> availableInstructionSets() {
  std::vector<InstructionSet> sets{{"scalar",
                                    1,
                                    kernel_scalar::evaluate,
                                    kernel_scalar::lowpass,
                                    kernel_scalar::gram,
                                    kernel_scalar::hyperbolicTangent,
                                    kernel_scalar::exponential,
                                    kernel_scalar::sineAndCosine},
                                   {"sse2",
                                    2,
                                    kernel_sse2::evaluate,
                                    kernel_sse2::lowpass,
                                    kernel_sse2::gram,
                                    kernel_sse2::hyperbolicTangent,
                                    kernel_sse2::exponential,
                                    kernel_sse2::sineAndCosine}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
    sets.push_back({"avx2",
                    4,
                    kernel_avx2::evaluate,
                    kernel_avx2::lowpass,
                    kernel_avx2::gram,
                    kernel_avx2::hyperbolicTangent,
                    kernel_avx2::exponential,
                    kernel_avx2::sineAndCosine});
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0)
    sets.push_back({"avx512",
                    8,
                    kernel_avx512::evaluate,
                    kernel_avx512::lowpass,
                    kernel_avx512::gram,
                    kernel_avx512::hyperbolicTangent,
                    kernel_avx512::exponential,
                    kernel_avx512::sineAndCosine});
#endif
  return sets;
}

InstructionSet chosenInstructionSet() {
  const std::vector<InstructionSet> sets = availableInstructionSets();
  const char* asked = std::getenv("DYNID_ISA");
  if (asked == nullptr || *asked == '\0') return sets.back();
  std::vector<std::string> names;
  for (const InstructionSet& set : sets) {
    if (set.name == asked) return set;
    names.push_back(set.name);
  }
  throw UsageError("DYNID_ISA=" + std::string(asked) + ": this processor has " + join(names));
}

}  // namespace dynid
