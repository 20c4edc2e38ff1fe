#pragma once

#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// One second-order section, H(z) = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2), unit gain
/// at 0 Hz.
struct FilterSection {
  double b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0;  ///< coefficients; a0 is 1
};

/// Digital Butterworth low-pass (bilinear transform, pre-warped), applied forward and backward. The
/// cut-off is that of one pass, as in the usual filtfilt(butter(order, cutoff)). Both passes
/// together have amplitude 1/2 (-6.02 dB) at the cut-off, -3.01 dB at (sqrt(2) - 1)^(1 / (2 order))
/// times the cut-off (0.896 for order 4), and zero phase.
struct Lowpass {
  int order = 0;                        ///< of one pass
  double cutoff_hz = 0.0;               ///< of one pass
  double rate_hz = 0.0;                 ///< sample rate of the signals
  std::vector<FilterSection> sections;  ///< applied one after the other

  /// |H(f)|^2, the amplitude of the two passes at frequency f [Hz].
  double gain(double frequency_hz) const;
};

/// Designs the low-pass.
/// @param order of one pass, 1 to 12
/// @param cutoff_hz in (0, rate/2)
/// @throws std::invalid_argument with the invalid value
Lowpass designLowpass(int order, double cutoff_hz, double rate_hz);

/// Number of samples after which the filter's response to any input has decayed below `tolerance`:
/// the margin that a window needs on both sides.
Eigen::Index tailLength(const Lowpass& filter, double tolerance = 1e-16);

/// Working memory of filterZeroPhase, reused between calls; one per thread.
struct FilterWorkspace {
  Scratch lanes;
  InstructionSet kernels = chosenInstructionSet();
};

/// Filters every column in place, forward and backward, with odd reflection at both ends (over the
/// number of samples in which the response decays to 1e-3, at most N - 1) and steady-state initial
/// conditions. It does not allocate once `workspace` has its size. A single row is unchanged.
void filterZeroPhase(const Lowpass& filter,
                     Eigen::Ref<Eigen::MatrixXd> columns,
                     FilterWorkspace& workspace);
void filterZeroPhase(const Lowpass& filter, Eigen::Ref<Eigen::MatrixXd> columns, int threads = 1);

}  // namespace dynid
