#pragma once

#include "dynid/logs/body_channels.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulated_effort.h"

#include <optional>
#include <string>

namespace dynid {

/// What an inertial and a wrench sensor on a link feel of a motion, without noise.
///
/// On the first link of a moving body the wrench is that of the body and all it carries; on a link
/// fixed to it, that of this link (as the description knows it) and its load.
///
/// @param pi       [10 bodies] of the robot without the load
/// @param payload  on board; nullopt: none
/// @throws std::invalid_argument for an unknown link, with suggestions
BodySamples sensedBy(const Robot& robot,
                     const std::string& link,
                     const Eigen::VectorXd& pi,
                     const std::optional<PayloadNote>& payload,
                     const SimulatedBlock& block);

}  // namespace dynid
