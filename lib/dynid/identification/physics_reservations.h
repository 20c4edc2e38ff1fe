#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// How ChannelFit::price_reason begins where passive friction raises the error.
inline constexpr const char* kPassiveFriction = "friction that must not push";

/// Where the physically consistent fit contradicts the efforts although its error is small, and
/// effects that no passive part has; one sentence each with its remedy:
///
///     size     the program's own bound on the overall size is active, and the squared error of the
///              fit is more than 1.15 times that of unconstrained least squares; where passive
///              friction raises the error of the joint whose error rises most, this is the cause
///     price    the squared error is more than four times as large, and the relative error above
///              0.03
///     springs  a spring (position_effects) with a negative stiffness, more than three standard
///              deviations from zero
std::vector<std::string> physicsReservations(const Model& model);

}  // namespace dynid
