#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Drive gains k [N m/A] from logs of currents: tau_a = k_a i_a, so that X_a beta = k_a i_a with
/// parameters shared by channels.
struct DriveGains {
  Eigen::VectorXd gains;     ///< [channels]; negative where the drive counts the other way
  bool scale_known = false;  ///< false: all gains were unknown, their geometric mean is set to one
  int iterations = 0;
  bool converged = false;
};

/// Ratios of unknown gains from the shared rigid-body parameters; the current is the *output* (its
/// noise must not stand in the regressor), so that weakly loaded joints are not biased towards
/// small gains:
///
///     min over beta, g_a, f_a of sum_a ||i_a - g_a X_rigid,a beta - X_own,a f_a||^2 / s_a^2,   k_a
///     = 1 / g_a
///
/// by Levenberg-Marquardt from the smallest singular vector of the homogeneous problem X beta = k
/// i, noise re-estimated.
///
/// @param statistics  effort column: currents of channels with unknown gain, torque where `known`
/// is finite
/// @param columns     of the layout, structurally independent
/// @param own         columns that scale with their channel alone (friction, offsets, drive
/// inertia)
/// @param positive    those of `own` that physics wants positive (viscous friction, drive inertia):
/// they decide the common sign
/// @param known       [channels] NaN where the gain is to be found
DriveGains identifyDriveGains(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const std::vector<int>& own,
                              const std::vector<int>& positive,
                              const Eigen::VectorXd& known);

}  // namespace dynid
