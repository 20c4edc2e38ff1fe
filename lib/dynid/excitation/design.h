#pragma once

#include "dynid/core/progress.h"
#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/excitation_options.h"

#include <memory>

namespace dynid {

/// Designs a trajectory within the limits: search, rigorous check, lead-in and lead-out, forecast
/// of the accuracy.
/// @throws std::invalid_argument without a robot and for invalid options; InputError for statistics
///     that do not fit the robot; std::system_error if no process can be started
ExcitationDesign designExcitation(const std::shared_ptr<const Robot>& robot,
                                  const ExcitationOptions& options,
                                  const Progress& progress = {});

}  // namespace dynid
