#pragma once

#include "dynid/identification/body_sensors.h"
#include "dynid/identification/rows.h"
#include "dynid/regression/base_parameters.h"

#include <memory>
#include <vector>

namespace dynid {

/// Base parameters of a whole layout (inertial, effects, payloads), from random states of the
/// structural model, not from a log.
///
/// Rows of every loading in `loadings` are stacked: robot and payload parameters share columns only
/// as the logs share them. Friction that is nonlinear in the velocity enters with its own columns,
/// so that what duplicates an offset or a spring is found.
/// @param loadings  one entry a distinct payload; nullopt: unloaded
/// @param sensors   links whose wrench is measured too: they see parameters that no joint does
BaseParameters structuralBase(const std::shared_ptr<const Robot>& robot,
                              const ParameterLayout& layout,
                              const std::vector<std::optional<PayloadPlacement>>& loadings,
                              const std::vector<BodySensor>& sensors = {});

}  // namespace dynid
