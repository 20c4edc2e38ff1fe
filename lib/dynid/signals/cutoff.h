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

/// Low-pass cut-off from the data.
///
/// A position is motion plus white noise (quantisation, timing), so its spectrum S falls onto a
/// floor N. What a cut-off f leaves out and lets in, weighted as accelerations,
///   E(f) = int_f^inf (S - N) w^4 dw + kappa int_0^f N w^4 dw,   kappa = 10,
/// is least where the motion sinks to 10 dB above its floor, whatever gaps or narrow peaks lie on
/// the way. The lower quartile... of the moving joints is taken: a torque needs the motion of all.
/// Where there is next to no noise the motion itself ends the band: at most ten times the frequency
/// below which 99 % of the acceleration lies.
///
/// \param positions pieces [N,n] on the uniform clock (rad or m)
/// \param rate_hz of that clock
/// The choice lies in [2 / longest piece, 0.2 rate] (0.4 of the Nyquist frequency).
CutoffChoice chooseCutoff(std::span<const Eigen::MatrixXd> positions, double rate_hz);

}  // namespace dynid
