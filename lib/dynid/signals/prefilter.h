#pragma once

#include "dynid/signals/spectrum.h"

#include <Eigen/Core>

namespace dynid {

/// Finds efforts that were low-passed before they were saved.
///
/// Above the frequencies of the motion, the spectrum S_tau of an effort consists of noise and of
/// jumps of friction: it is flat, or falls by 6 dB per octave. A low-pass causes a knee in it. A
/// knee is taken as that of a filter if
/// - over the two octaves above the knee S_tau falls by at least 12 dB more than its slope before
///   the knee (taken as at least 5 dB per octave) predicts;
/// - from the knee to the highest frequency S_tau keeps falling, by at least 30 dB in total, or, if
///   the knee is far above the motion, falls by 50 dB to a floor of rounding;
/// - above the knee S_tau falls by at least 6 dB in every octave, down to that floor: jumps alone
///   fall so, and the filter adds its slope. A shelf is friction or noise that was not filtered;
/// - the effort below the knee is not that of the motion: the spectrum S_q of the positions falls
///   there by less than 6 dB in an octave, as noise does, or the motion is too small for the
///   effort, c w^4 S_q < 0.1 S_tau, with c the smallest ratio S_tau / (w^4 S_q) within the motion.
///
/// The last three conditions exclude the upper end of the motion, which causes a knee too, but with
/// friction or a floor of noise above it.
///
/// @param effort spectrum of the efforts
/// @param position spectrum of the positions at the same frequencies
/// @param driven_hz frequency below which the motion of all joints lies
/// @param fresh_rate_hz measured rows per second; knees above 0.2 of it are not searched
/// @param exact_motion positions without noise at the highest frequencies: knees below 8 times the
/// frequency of the motion count only where the positions have noise that falls as behind the same
/// filter, because the effort of an exact motion ends without a floor of noise too
/// @returns [n] frequency [Hz] at which the noise has fallen by 6 dB; NaN: no filter was found
Eigen::VectorXd findPrefilters(const Spectrum& effort,
                               const Eigen::MatrixXd& position,
                               double driven_hz,
                               double fresh_rate_hz,
                               bool exact_motion = false);

}  // namespace dynid
