#pragma once

#include "dynid/model/json_text.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// The moving bodies and their joint frames, for programs that read a model without a URDF reader:
/// a list with one object per body, parents first. dynid does not read this list; it reads the
/// description.
Json bodiesJson(const Robot& robot);

/// {matrix: T, offset} of q_joint = T q_actuator + offset.
Json transmissionJson(const Robot& robot);

/// The geometry of one position effect: type, and degree, harmonics or lengths.
Json positionEffectJson(const PositionEffect& effect);

}  // namespace dynid
