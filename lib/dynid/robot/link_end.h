#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// The far end of a link: the mean of the origins of the links that it carries, in its own frame
/// [m]. Zero for a link that carries none.
Eigen::Vector3d linkEnd(const Robot& robot, int body);

}  // namespace dynid
