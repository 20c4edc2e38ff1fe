#pragma once

#include "dynid/regression/base_parameters.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// The parameters that a trajectory is to make known.
struct SoughtParameters {
  ParameterLayout layout;
  BaseParameters base;          ///< of that layout; sought is one parameter per independent column
  std::vector<Column> columns;  ///< of the regressor, from which their columns are made:
  Eigen::MatrixXd mix;          ///< columns * mix, [columns x parameters]; 0 x 0: one to one

  int count() const { return base.rank; }
  std::vector<std::string> names() const;
};

/// The base parameters of the robot's bodies, drive inertias, and viscous friction, Coulomb
/// friction and offset of every actuator (those that the description lists, where it lists any).
/// @param drive_inertia  false: no drive inertia columns, whatever the description says
SoughtParameters soughtParameters(const std::shared_ptr<const Robot>& robot, bool drive_inertia);

/// The ten parameters of a load at the origin of a link, the robot being known: of these the
/// independent combinations ("payload.m" ...).
/// @throws std::invalid_argument for a link that the robot does not have or does not move, with
/// suggestions
SoughtParameters payloadParameters(const std::shared_ptr<const Robot>& robot,
                                   const std::string& link);

/// The robot with a point mass [kg] at the link's origin in its prior inertias: for efforts.
/// @throws std::invalid_argument as payloadParameters
std::shared_ptr<const Robot> withPointMass(const Robot& robot,
                                           const std::string& link,
                                           double mass);

}  // namespace dynid
