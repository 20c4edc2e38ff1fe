#pragma once

#include <Eigen/Core>

#include <span>
#include <string>

namespace dynid {

/// A cut-off and where it comes from.
struct CutoffChoice {
  double cutoff_hz = 0.0;
  Eigen::VectorXd joint_hz;  ///< [n] what each joint alone asks for; NaN for a joint without motion
  std::string reason;
};

/// Low-pass cut-off from the data.
/// \param positions windows [N,n] on the uniform clock, one segment each (rad or m)
/// \param rate_hz of that clock
/// The choice lies in [4 / longest window, 0.2 rate] (0.4 of the Nyquist frequency).
CutoffChoice chooseCutoff(std::span<const Eigen::MatrixXd> positions, double rate_hz);

}  // namespace dynid
