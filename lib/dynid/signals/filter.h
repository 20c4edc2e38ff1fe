#pragma once

#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// One second-order section, H(z) = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2), unit gain
/// at 0 Hz.
struct FilterSection {
  double b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0;
};

/// Digital Butterworth low-pass (bilinear transform, pre-warped) to be run forward and backward.
/// The cut-off is that of one pass, as in everybody's filtfilt(butter(order, cutoff)): the two
/// passes together have amplitude 1/2 (-6.02 dB) at the cut-off, -3.01 dB at
/// (sqrt(2) - 1)^(1 / (2 order)) times it (0.896 for order 4), and phase zero.
struct Lowpass {
  int order = 0;
  double cutoff_hz = 0.0;
  double rate_hz = 0.0;
  std::vector<FilterSection> sections;

  /// |H(f)|^2, the amplitude of the two passes at frequency f [Hz].
  double gain(double frequency_hz) const;
};

/// The low-pass of the given order of one pass.
/// \param order 1 to 12
/// \param cutoff_hz in (0, rate/2)
/// \throws std::invalid_argument naming the value.
Lowpass designLowpass(int order, double cutoff_hz, double rate_hz);

/// Samples after which the response to anything has shrunk below `tolerance`: the margin a window
/// needs on both sides.
Eigen::Index tailLength(const Lowpass& filter, double tolerance = 1e-16);

/// Scratch of filterZeroPhase, reused between calls (one a thread).
struct FilterWorkspace {
  Scratch lanes;
  InstructionSet kernels = chosenInstructionSet();
};

/// Filters every column of `columns` in place, forward and backward, with odd reflection at both
/// ends (until the filter has forgotten all but 1e-3, at most N - 1 samples) and steady-state
/// initial conditions. No allocation once `workspace` has its size. A single row is left as it is.
void filterZeroPhase(const Lowpass& filter,
                     Eigen::Ref<Eigen::MatrixXd> columns,
                     FilterWorkspace& workspace);
void filterZeroPhase(const Lowpass& filter, Eigen::Ref<Eigen::MatrixXd> columns);

}  // namespace dynid
