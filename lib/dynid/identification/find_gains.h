#pragma once

#include "dynid/estimation/covariance.h"
#include "dynid/statistics/gather.h"

#include <Eigen/Core>

#include <cmath>
#include <optional>
#include <vector>

namespace dynid {

/// A stated gain that contradicts the other stated ones.
struct DoubtfulGain {
  Eigen::Index actuator = 0;
  double stated = 0.0;
  double found = 0.0;    ///< from the logs and the other stated gains
  double std_dev = 0.0;  ///< of `found`

  /// Difference of ln |gain| in its standard deviations
  double significance() const {
    return std::abs(std::log(std::abs(found / stated))) * std::abs(found) / std_dev;
  }
};

/// The gains that convert recorded currents to efforts.
struct FoundGains {
  Eigen::VectorXd of_currents;  ///< [actuators] effort per current: described or found
  bool scale_known = true;      ///< false: parameters and gains have one common unknown factor
  bool converged = true;        ///< the search for gains converged, or was not needed
  /// [actuators] Standard deviation of the gains found (delete-a-group jackknife over consecutive
  /// parts of the logs). NaN for described gains and if there are too few blocks; empty if no gain
  /// was searched.
  Eigen::VectorXd std_dev;
  /// Of ln |gain|, zero for described gains; empty where `std_dev` is not known.
  std::optional<EffortFactors> uncertainty;
  /// Stated gains that differ by more than 20 % and five standard deviations (of ln |gain|) from
  /// what the logs give with the other stated ones, the clearest first.
  std::vector<DoubtfulGain> doubtful;

  bool searched() const { return std_dev.size() > 0; }
};

/// Raises the standard deviations of `gains`, and the covariances with them, to those of another
/// search in the same logs (relative to its gains). A search beside the friction that was selected
/// does not know that another choice was possible: with it alone, two gains of a UR10e with a
/// payload were 4 and 8 standard deviations from those of its controller, with this 1 and 2.
void widen(const FoundGains& other, FoundGains& gains);

/// Finds gains for recorded currents of drives without a described gain, from a pass over the logs.
/// Their ratios follow from the parameters that the drives share (identifyDriveGains), their scale
/// from a described gain or from combinations of base parameters of payloads that contain only
/// known parameters.
/// @param effects  friction terms that are fitted at the same time
/// @param options  its drive gains are not used
/// @throws InputError if logs of efforts and of currents without gain are mixed
FoundGains findDriveGains(const Recordings& recordings,
                          const std::vector<ActuatorEffects>& effects,
                          const GatherOptions& options);

}  // namespace dynid
