#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Drive gains k [N m/A or N/A] from logs of motor currents: tau_a = k_a i_a, so that X_a beta =
/// k_a i_a, where channels share rigid-body parameters in beta.
struct DriveGains {
  Eigen::VectorXd gains;     ///< [channels]; negative if the drive counts in the opposite direction
  bool scale_known = false;  ///< false: all gains were unknown; their geometric mean is set to one
  int iterations = 0;
  bool converged = false;
};

/// Ratios of unknown gains from the shared rigid-body parameters. The current, which is noisy, is
/// the output and not a regressor, so that the gains of weakly loaded joints are not biased towards
/// small values:
///
///     min over beta, g_a, f_a of sum_a ||i_a - g_a X_rigid,a beta - X_own,a f_a||^2 / s_a^2,
///     k_a = 1 / g_a
///
/// The problem is solved by Levenberg-Marquardt, started at the smallest singular vector of the
/// homogeneous problem X beta = k i; the noise s_a is re-estimated.
///
/// @param statistics  effort column: current for channels with unknown gain, torque if `known` is
///     finite
/// @param columns     of the layout, structurally independent
/// @param channel_columns         columns that scale with their channel only (friction, offsets,
/// drive inertia)
/// @param positive    those of `channel_columns` whose parameters must be positive (viscous
/// friction, drive
///     inertia); they determine the common sign
/// @param known       [channels] NaN if the gain is to be found
DriveGains identifyDriveGains(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const std::vector<int>& channel_columns,
                              const std::vector<int>& positive,
                              const Eigen::VectorXd& known);

}  // namespace dynid
