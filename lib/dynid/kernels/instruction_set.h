#pragma once

#include "dynid/kernels/requests.h"

#include <string>
#include <vector>

namespace dynid {

/// One instruction set's kernels.
struct InstructionSet {
  std::string name;  ///< "scalar", "sse2" (two lanes; on other processors what the compiler makes
                     ///< of them), "avx2", "avx512"
  int lanes = 1;
  BatchKernel evaluate = nullptr;
  LowpassKernel lowpass = nullptr;
  GramKernel gram = nullptr;
  TanhKernel tanh = nullptr;
  /// Of `lanes` numbers, |x| < 1e6 (for tests).
  void (*sine_and_cosine)(const double* x, double* sine, double* cosine) = nullptr;
};

/// Those that this processor has, by growing width; the first has one lane.
std::vector<InstructionSet> availableInstructionSets();

/// The widest one, or what the environment variable DYNID_ISA names. @throws UsageError for a name
/// that is not known or that this processor lacks.
InstructionSet chosenInstructionSet();

}  // namespace dynid
