#pragma once

#include "dynid/signals/spectrum.h"

#include <Eigen/Core>

namespace dynid {

/// Finds efforts that were low-passed before they were saved.
///
/// Above the motion the spectrum of an effort is noise and jumps of friction: flat, or falling by 6
/// dB per octave. A low-pass makes a knee in it: over the two octaves above the knee the spectrum
/// falls by at least 12 dB more than its slope before the knee (at least 5 dB per octave) predicts.
/// It goes on falling up to the highest frequency, by 30 dB at least; or to a floor of rounding 50
/// dB below, if the knee is far above the motion. The end of the motion makes a knee too, but with
/// a floor of noise behind it. It is also told from a filter by the positions, of spectrum S_q:
/// below the knee of a filter they are noise (S_q falls by less than 6 dB in an octave), or the
/// motion is too small for the effort, c w^4 S_q < 0.1 S_tau, where c is the smallest ratio S_tau /
/// (w^4 S_q) within the motion.
///
/// @param effort spectrum of the efforts
/// @param position spectrum of the positions at the same frequencies
/// @param driven_hz frequency below which the motion of all joints lies
/// @param fresh_rate_hz measured rows per second; knees above 0.2 of it are not searched
/// @returns [n] frequency [Hz] at which the noise has fallen by 6 dB; NaN: no filter was found
Eigen::VectorXd findPrefilters(const Spectrum& effort,
                               const Eigen::MatrixXd& position,
                               double driven_hz,
                               double fresh_rate_hz);

}  // namespace dynid
