#pragma once

#include "dynid/kernels/requests.h"

#include <string>
#include <vector>

namespace dynid {

/// The kernels of one instruction set.
struct InstructionSet {
  /// "scalar", "sse2" (two lanes; on processors other than x86 compiled to whatever they have),
  /// "avx2" or "avx512".
  std::string name;
  /// Doubles per SIMD register.
  int lanes = 1;
  BatchKernel evaluate = nullptr;   ///< regressor of the projection method
  LowpassKernel lowpass = nullptr;  ///< zero-phase low-pass filter
  GramKernel gram = nullptr;        ///< Gram matrix
  FunctionKernel tanh = nullptr;    ///< hyperbolic tangent
  /// Exponential of numbers that are not positive; of numbers below -708: that of -708.
  FunctionKernel exponential = nullptr;
  /// Sine and cosine of `lanes` numbers with |x| < 1e6; only for tests.
  void (*sine_and_cosine)(const double* x, double* sine, double* cosine) = nullptr;
};

/// The instruction sets that this processor supports, by increasing width. The first has one lane.
std::vector<InstructionSet> availableInstructionSets();

/// The widest supported instruction set, or the one named by the environment variable DYNID_ISA.
/// @throws UsageError if the name is unknown or the processor does not support it
InstructionSet chosenInstructionSet();

}  // namespace dynid
