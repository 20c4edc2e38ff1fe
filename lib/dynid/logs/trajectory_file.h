#pragma once

#include <Eigen/Core>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A finite Fourier series of the joint velocities (INTERFACES, "HDF5 trajectory"). With t = time -
/// t0_s and w = 2 pi fundamental_hz:
///     q(t) = offset + sum_l [ a_l/(w l) sin(w l t) - b_l/(w l) cos(w l t) ],  l = 1..L
struct FourierSeries {
  double fundamental_hz = 0.0;
  double t0_s = 0.0;
  Eigen::MatrixXd a, b;    ///< [n, L], rad/s or m/s
  Eigen::VectorXd offset;  ///< [n], rad or m
};

/// A quintic end piece: q(t) = sum_k coefficients.col(k) t^k, t = time - t0_s in [0, duration_s].
struct QuinticPiece {
  Eigen::MatrixXd coefficients;  ///< [n, 6], ascending powers, rad/s^k or m/s^k
  double t0_s = 0.0;
  double duration_s = 0.0;
};

/// A trajectory: `excite` writes it, `simulate` and the robot follow it.
struct TrajectoryFile {
  std::vector<std::string> joint_names;
  std::vector<bool> prismatic;  ///< one per joint; empty: all revolute (decides the units written)
  Eigen::VectorXd time;         ///< [N], s
  Eigen::MatrixXd position, velocity, acceleration;  ///< [N, n]; the last two may be empty
  std::optional<FourierSeries> fourier;
  std::optional<QuinticPiece> lead_in, lead_out;
  std::string robot, description;
};

/// @throws std::invalid_argument when shapes disagree; OutputError when it cannot be written.
void writeTrajectory(const std::filesystem::path& path, const TrajectoryFile& trajectory);

/// Reads it back, in SI, columns in the order of `joints` (empty: the file's order).
/// @throws InputError "path:/dataset: ..." when the file is not a trajectory that can be used or
/// lacks a joint.
TrajectoryFile readTrajectory(const std::filesystem::path& path,
                              const std::vector<std::string>& joints = {},
                              const std::vector<std::string>& prismatic = {});

}  // namespace dynid
