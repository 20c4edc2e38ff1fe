#pragma once

#include "dynid/core/progress.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"
#include "dynid/statistics/gathered_statistics.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace dynid {

/// What identification returns: the model, and what the audit found in each log (worst first).
struct Identification {
  Model model;
  std::vector<std::vector<Finding>> audits;           ///< one per log; audit and diagnosis
  std::vector<std::filesystem::path> logs = {};       ///< those given as samples
  std::vector<Diagnosis> diagnoses = {};              ///< one per log
  std::optional<GatheredStatistics> statistics = {};  ///< where the settings ask to keep them
};

/// Identifies a model from logs: audit, clock, filter, regressor, statistics, base parameters,
/// selection of friction, weighted least squares, covariance, physically consistent fit.
///
/// Statistics of other logs (`settings.statistics`) count as if their samples were given too;
/// friction is then selected among the columns that they recorded.
///
/// @throws InputError if a log is unusable (the audit's refusals name channel and remedy; `force`
/// turns them into warnings). A fit that fails is not an exception: see `model.status`.
Identification identify(std::shared_ptr<const Robot> robot,
                        const std::vector<LogInput>& logs,
                        const IdentificationSettings& settings,
                        const Progress& progress = {});

}  // namespace dynid
