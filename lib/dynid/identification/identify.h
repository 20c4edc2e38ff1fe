#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"

#include <memory>
#include <vector>

namespace dynid {

/// What identification returns: the model, and what the audit found in each log (worst first).
struct Identification {
  Model model;
  std::vector<std::vector<Finding>> audits;  ///< one a log
};

/// The whole road from logs to a model: audit, clock, filter, regressor, statistics, base
/// parameters, friction ladder, weighted least squares, covariance, physically consistent fit.
///
/// @throws InputError if a log is unusable (the audit's refusals name channel and remedy; `force`
/// turns them into warnings). A fit that fails is not an exception: see `model.status`.
Identification identify(std::shared_ptr<const Robot> robot,
                        const std::vector<LogInput>& logs,
                        const IdentificationSettings& settings,
                        const Progress& progress = {});

}  // namespace dynid
