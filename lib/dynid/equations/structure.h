#pragma once

#include "dynid/equations/body_sensors.h"
#include "dynid/equations/rows.h"
#include "dynid/regression/base_parameters.h"

#include <memory>
#include <vector>

namespace dynid {

/// What logs say of the base.
struct BaseKnowledge {
  bool moves = false;   ///< of some log
  bool wrench = false;  ///< what the ground exerts on it is measured
};

/// Base parameters of a whole layout (inertial, effects, payloads), from random states of the
/// structural model, not from a log.
///
/// Rows with every payload in `loadings` are stacked, so that parameters of robot and payload
/// combine only as they do in the logs. Friction that is nonlinear in the velocity enters with its
/// own columns, so that what duplicates an offset or a spring is found.
/// @param loadings  one entry per distinct payload; nullopt: without payload
/// @param sensors   links whose wrench is measured too: they see parameters that no joint does
/// @param base      what is known of the base: both see parameters that joints on a resting base do
///                  not
BaseParameters structuralBase(const std::shared_ptr<const Robot>& robot,
                              const ParameterLayout& layout,
                              const std::vector<std::optional<PayloadPlacement>>& loadings,
                              const std::vector<BodySensor>& sensors = {},
                              const BaseKnowledge& base = {});

}  // namespace dynid
