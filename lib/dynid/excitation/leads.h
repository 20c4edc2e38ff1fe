#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/information.h"
#include "dynid/logs/trajectory_file.h"

#include <Eigen/Core>

#include <functional>
#include <optional>

namespace dynid {

/// Rigorous bounds of a quintic piece over its duration. On a grid of step h, max |f| <= max_i
/// |f(t_i)| + h^2/8 max |f''|, where f'' is bounded in the same way and the fifth derivative is
/// constant. The positions of a piece that begins or ends at rest are those of its extremes.
MotionPeaks quinticPeaks(const QuinticPiece& piece);

/// `count` samples of the piece, including both ends.
MotionSamples samplesOf(const QuinticPiece& piece, int count);

/// Transitions from rest to the periodic motion and back.
struct Leads {
  double phase_s = 0.0;  ///< [s] time of the period at which the periodic part begins and ends
  QuinticPiece in, out;  ///< their t0_s is 0
};

/// What the leads have to be, apart from within limits.
struct LeadOptions {
  std::optional<Eigen::VectorXd> start;  ///< [joints] rad or m, posture at rest; empty: free
  /// Returns whether a piece is free of collisions; empty: not checked
  std::function<bool(const QuinticPiece&)> clear;
  double rate_hz = 100.0;   ///< [Hz] samples per second of the whole motion
  double periodic_s = 0.0;  ///< [s] duration of the periodic part between the leads
};

/// The shortest lead-in and lead-out within the limits that last at least half a period of the
/// highest harmonic; if there are none, at least a half, a quarter ... of that, 0.5 s, and at last
/// 0.1 s. Faster ones contain frequencies that the motion does not have, and that the cut-off of an
/// identification removes (chooseCutoff).
///
/// The series is periodic and may be entered at any phase. The posture at rest is `start`; if it is
/// free, q - (T/2) dq + (T^2/12) ddq, limited to the position limits, with the motion at the entry
/// and the duration T of the lead.
/// The lead-in lasts a whole number of samples, and so does the whole motion.
/// @param X         Fourier coefficients, see FourierBasis
/// @param period_s  [s] period of the series
/// @returns empty if no duration up to 20 s, rounded up to samples, and no phase meets the limits
std::optional<Leads> planLeads(const Robot& robot,
                               const MotionLimits& limits,
                               const Eigen::MatrixXd& X,
                               double period_s,
                               const LeadOptions& options);

}  // namespace dynid
