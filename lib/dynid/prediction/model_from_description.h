#pragma once

#include "dynid/model/model.h"

#include <memory>

namespace dynid {

/// A model with the values of the robot description (URDF inertias, damping and friction), for
/// `validate --robot` without a model. Damping and friction act on the joints, also behind a
/// coupled transmission.
/// @throws std::invalid_argument without a robot; InputError if moving links have no inertia
Model modelFromDescription(const std::shared_ptr<const Robot>& robot);

}  // namespace dynid
