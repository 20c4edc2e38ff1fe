#pragma once

#include "dynid/robot/parameter_layout.h"

namespace dynid {

/// The inertial parameters of the robot and, if asked for, its drive inertias.
inline ParameterLayout layoutOf(const Robot& robot, bool drives) {
  ParameterLayout layout = inertialLayout(robot);
  if (drives)
    for (int a = 0; a < robot.numJoints(); ++a) layout.append(driveInertiaColumn(robot, a));
  return layout;
}

}  // namespace dynid
