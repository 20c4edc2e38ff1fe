#pragma once

#include "dynid/statistics/gather.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// What turns recorded currents into efforts.
struct FoundGains {
  Eigen::VectorXd of_currents;  ///< [actuators] effort per current: described or found
  bool scale_known = true;      ///< false: parameters and gains carry one common unknown factor
  bool converged = true;        ///< the search for gains settled, or was not needed
  /// [actuators] Standard deviation of the gains found by leaving out one stretch of the logs after
  /// the other (delete-a-group jackknife); NaN for described ones and where there are too few
  /// blocks; empty where none was searched for.
  Eigen::VectorXd std_dev;
};

/// Gains for recorded currents of drives without one, from a pass over the logs: their ratios from
/// the parameters that the drives share (identifyDriveGains), their scale from a described gain or
/// from a payload of known mass.
/// @param effects  friction to fit besides
/// @param options  its drive gains are not used
/// @throws InputError if logs of efforts and of currents without gain are mixed.
FoundGains findDriveGains(const Recordings& recordings,
                          const std::vector<ActuatorEffects>& effects,
                          const GatherOptions& options);

}  // namespace dynid
