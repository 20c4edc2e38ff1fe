#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Input of the search for drive gains.
struct DriveGainProblem {
  std::vector<int> columns;  ///< of the layout, structurally independent
  /// Columns that scale with their channel only (friction, offsets, drive inertia)
  std::vector<int> channel_columns;
  /// Those of `channel_columns` whose parameters must be positive (friction)
  std::vector<int> positive;
  Eigen::VectorXd known;        ///< [channels] effort per current; NaN: to be found
  std::vector<bool> prismatic;  ///< [channels] the gain is a force per current
};

/// Drive gains k [N m/A or N/A] from logs of motor currents: tau_a = k_a i_a, so that X_a beta =
/// k_a i_a, where channels share rigid-body parameters in beta.
struct DriveGains {
  Eigen::VectorXd gains;     ///< [channels]; negative if the drive counts in the opposite direction
  bool scale_known = false;  ///< false: all gains were unknown; their geometric mean is set to one
  /// [channels] Standard deviation of ln |k_a| due to the spread of gains among drives, relative to
  /// the mean of all if the scale is not known. It is ln(2) where the logs do not determine a
  /// gain, and 0 where they determine it or it is known. The noise of the logs adds to it.
  Eigen::VectorXd log_std_dev;
  int iterations = 0;
  bool converged = false;
};

/// Ratios of unknown gains from the shared rigid-body parameters. The current, which is noisy, is
/// the output and not a regressor, so that the gains of weakly loaded joints are not biased towards
/// small values. With k_a = sign_a exp(y_a) and the mean m of y over the drives of the same kind
/// (rotation or translation):
///
///     min over beta, y, f of
///         sum_a n_a ||i_a - (1 / k_a) X_rigid,a beta - X_channel,a f_a||^2 / sigma_a^2
///         + sum_a (y_a - m)^2 / ln(2)^2
///
/// X_rigid,a are the shared columns, X_channel,a those of `channel_columns`, f_a their parameters
/// in units of current, and sigma_a [A] is the noise of the current.
///
/// The second sum is prior knowledge: the drives of a robot have similar gains, two thirds of them
/// within a factor of two of their mean. It has an effect only where the logs do not determine a
/// gain, as for a last joint whose torque is mainly its own friction. n_a is the number of
/// independent rows. sign_a is the sign with which the friction of the channel dissipates energy.
/// The problem is solved by Levenberg-Marquardt from equal gains; sigma_a is re-estimated.
///
/// @param statistics  effort column: current for channels with unknown gain, torque if `known` is
///     finite
DriveGains identifyDriveGains(const Statistics& statistics, const DriveGainProblem& problem);

}  // namespace dynid
