#pragma once

#include "dynid/math/eigen_memory.h"

#include <Eigen/Core>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A finite Fourier series of the joint velocities (file format: datasets/README.md),
///
///     q(t) = offset + sum_l [ a_l/(w l) sin(w l t) - b_l/(w l) cos(w l t) ],  l = 1..L,
///     t = time - t0_s,   w = 2 pi fundamental_hz
struct FourierSeries {
  double fundamental_hz = 0.0;  ///< [Hz] 1 / period
  double t0_s = 0.0;            ///< [s] time at which a period starts
  Eigen::MatrixXd a, b;         ///< [n, L], rad/s or m/s
  Eigen::VectorXd offset;       ///< [n], rad or m
};

/// A quintic piece at the start or end of a trajectory: q(t) = sum_k coefficients.col(k) t^k, t =
/// time - t0_s in [0, duration_s].
struct QuinticPiece {
  Eigen::MatrixXd coefficients;  ///< [n, 6], ascending powers, rad/s^k or m/s^k
  double t0_s = 0.0;             ///< [s] start of the piece
  double duration_s = 0.0;       ///< [s]
};

/// A trajectory, written by `excite` and read by `simulate` and by robot controllers.
struct TrajectoryFile {
  std::vector<std::string> joint_names;  ///< one per column
  /// One per joint; empty: all revolute (determines the units in the file)
  std::vector<bool> prismatic;
  Eigen::VectorXd time;                              ///< [N] s
  Eigen::MatrixXd position, velocity, acceleration;  ///< [N, n]; the last two may be empty
  std::optional<FourierSeries> fourier;  ///< the periodic part, if the trajectory has one
  /// Transitions from and to rest, if the trajectory has them
  std::optional<QuinticPiece> lead_in, lead_out;
  std::string robot, description;

  /// @throws std::invalid_argument if shapes disagree
  void check() const;
};

/// @throws std::invalid_argument as TrajectoryFile::check; OutputError if the file cannot be
/// written
void writeTrajectory(const std::filesystem::path& path, const TrajectoryFile& trajectory);

/// Reads a trajectory in SI units, with columns in the order of `joints` (empty: the order of the
/// file).
/// @throws InputError "path:/dataset: ..." if the file is not a valid trajectory, does not contain
///     a joint, or has a number that is not finite, a time that does not increase, or velocities
///     or accelerations that do not integrate to the positions or velocities
TrajectoryFile readTrajectory(const std::filesystem::path& path,
                              const std::vector<std::string>& joints = {},
                              const std::vector<std::string>& prismatic = {});

}  // namespace dynid
