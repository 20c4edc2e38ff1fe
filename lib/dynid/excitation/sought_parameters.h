#pragma once

#include "dynid/regression/base_parameters.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// The parameters that a trajectory is designed to identify.
struct SoughtParameters {
  ParameterLayout layout;  ///< columns of the sought and of dependent parameters
  BaseParameters base;     ///< of that layout; one sought parameter per independent column
  /// Regressor columns from which those of the parameters are computed
  std::vector<Column> columns;
  Eigen::MatrixXd mix;  ///< columns * mix, [columns x parameters]; 0 x 0: identity

  int count() const { return base.rank; }
  /// Names of the sought parameters: those of the independent columns.
  std::vector<std::string> names() const;
};

/// The base parameters of the robot's bodies, the drive inertias, and viscous friction, Coulomb
/// friction and offset of every actuator (if the description lists friction terms: those).
/// @param drive_inertia  false: no drive inertia columns, whatever the description says
SoughtParameters soughtParameters(const std::shared_ptr<const Robot>& robot, bool drive_inertia);

/// The ten parameters of a payload about the origin of a link of a known robot, reduced to their
/// independent combinations ("payload.m" ...).
/// @throws std::invalid_argument with suggestions for a link that the robot does not have or does
///     not move
SoughtParameters payloadParameters(const std::shared_ptr<const Robot>& robot,
                                   const std::string& link);

/// The robot with a point mass [kg] at the link's origin added to its described inertias, for the
/// computation of efforts.
/// @throws std::invalid_argument as payloadParameters
std::shared_ptr<const Robot> withPointMass(const Robot& robot,
                                           const std::string& link,
                                           double mass);

}  // namespace dynid
