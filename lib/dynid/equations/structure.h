#pragma once

#include "dynid/equations/body_sensors.h"
#include "dynid/equations/rows.h"
#include "dynid/regression/base_parameters.h"

#include <memory>
#include <vector>

namespace dynid {

/// What is measured of the base.
struct BaseKnowledge {
  bool moves = false;   ///< the base moves in some log
  bool wrench = false;  ///< the wrench that the ground exerts on it is measured
};

/// Base parameters of a whole layout (inertial parameters, friction and other effects, payloads),
/// from random states of the structural model and not from a log.
///
/// The rows for all payloads in `payload_cases` are stacked, so that robot and payload parameters
/// combine only as they do in the logs. Friction that is nonlinear in the velocity has its own
/// columns, so that effects equivalent to an offset or a spring are detected as dependent.
/// The parameters of massless bodies are known to be zero; they are listed as unidentifiable.
/// @param payload_cases  one entry per payload; nullopt: without payload
/// @param sensors   links whose wrench is measured too, which determines more parameters than the
///     joints alone
/// @param base      what is measured of the base; motion and wrench of the base determine
///     parameters that joints on a resting base do not
/// @param threads   the result does not depend on it
BaseParameters structuralBase(const std::shared_ptr<const Robot>& robot,
                              const ParameterLayout& layout,
                              const std::vector<std::optional<PayloadPlacement>>& payload_cases,
                              const std::vector<BodySensor>& sensors = {},
                              const BaseKnowledge& base = {},
                              int threads = 1);

}  // namespace dynid
