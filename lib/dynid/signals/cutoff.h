#pragma once

#include <Eigen/Core>

#include <span>
#include <string>

namespace dynid {

/// A cut-off and where it comes from.
struct CutoffChoice {
  double cutoff_hz = 0.0;
  Eigen::VectorXd joint_hz;  ///< [n] what each joint alone asks for; NaN without motion
  Eigen::VectorXd noise;     ///< [n] rad or m: white noise of the position, standard deviation
  std::string reason;
};

/// Highest cut-off [Hz] that motion sampled at this rate [Hz] can be filtered and differentiated
/// at: 0.2 of the rate, where central differences (differentiate) are 2 % low.
double highestCutoff(double rate_hz);

/// Low-pass cut-off from the data.
///
/// A position is motion plus white noise (quantisation, timing), so its spectrum S falls onto a
/// floor N. What a cut-off f leaves out and lets in, weighted as accelerations,
///   E(f) = int_f^inf (S - N) w^4 dw + kappa int_0^f N w^4 dw,   kappa = 10,
/// is least where the motion sinks to 10 dB above its floor, whatever gaps or narrow peaks lie on
/// the way. The driven motion bounds it on both sides: at least three times the frequency below
/// which 95 % of the speed's energy lies (the two passes then leave it untouched), at most 15 times
/// that of 99.9 % (beyond are vibrations, however clearly measured). Of the moving joints' choices
/// the lower quartile is taken: every torque sees the noise of all joints, which biases, whereas
/// motion that is cut off only leaves a little excitation unused, as rows and efforts lose the
/// same.
///
/// \param positions pieces [N,n] on the uniform clock (rad or m)
/// \param rate_hz of that clock
/// \param fresh_rate_hz rows that were measured a second, at most rate_hz: what lies above half of
///   it was made by the interpolation and tells nothing about the noise
/// The choice lies in [10 / longest piece, 0.2 rate] (0.4 of the Nyquist frequency).
CutoffChoice chooseCutoff(std::span<const Eigen::MatrixXd> positions,
                          double rate_hz,
                          double fresh_rate_hz);

}  // namespace dynid
