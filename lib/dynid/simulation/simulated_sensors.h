#pragma once

#include "dynid/logs/body_channels.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulated_effort.h"

#include <optional>
#include <string>

namespace dynid {

/// Noise-free signals of an inertial and a wrench sensor on a link during a motion.
///
/// On the first link of a moving body the wrench is that on the body and on all bodies behind it.
/// On a link fixed to a body it is that on this link (with its described inertia) and its payload.
///
/// @param pi       [10 bodies] of the robot without the payload
/// @param payload  nullopt: none
/// @throws std::invalid_argument with suggestions for an unknown link
BodySamples sensedBy(const Robot& robot,
                     const std::string& link,
                     const Eigen::VectorXd& pi,
                     const std::optional<PayloadNote>& payload,
                     const SimulatedBlock& block);

}  // namespace dynid
