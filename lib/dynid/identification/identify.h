#pragma once

#include "dynid/core/progress.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace dynid {

class LogSource;
struct GatheredStatistics;

/// Result of an identification: the model, and the findings about each log (worst first). Lists of
/// one entry per log have the order in which the logs were given.
struct Identification {
  Model model;
  std::vector<std::vector<Finding>> audits;      ///< one per log; audit and diagnosis
  std::vector<std::filesystem::path> logs = {};  ///< the logs given as samples
  std::vector<Diagnosis> diagnoses = {};         ///< one per log
  /// The same logs, open, with the settings of the model
  std::vector<std::shared_ptr<const LogSource>> sources = {};
  /// Null unless the settings request them; saveStatistics writes them
  std::shared_ptr<const GatheredStatistics> statistics = {};
};

/// Identifies a model from logs: audit, clock, filter, regressor, statistics, base parameters,
/// selection of friction, weighted least squares, covariance, physically consistent fit.
///
/// `model.operating_points` stay empty: addOperatingPoints (prediction/operating_points.h) adds
/// them to a model that is to be saved or exported. `model.provenance.command` is the caller's.
///
/// The model does not depend on the order in which logs and statistics are given: they are used in
/// the order of their file names. `model.provenance.logs` has that order.
///
/// Statistics of other logs (`settings.statistics`) have the same effect as their samples. Friction
/// is then selected among the columns that the statistics contain.
///
/// @throws std::invalid_argument without a robot; UsageError for wrong settings
/// @throws InputError if a log is unusable (the message names channel and remedy; `force` turns it
/// into a warning). A fit that fails is not an exception: see `model.status`.
Identification identify(const std::shared_ptr<const Robot>& robot,
                        const std::vector<LogInput>& logs,
                        const IdentificationSettings& settings,
                        const Progress& progress = {});

/// Writes the statistics of an identification to an HDF5 file, completely or not at all. Later
/// identifications use it by `settings.statistics`, without the logs.
/// @throws UsageError if they were not kept (`settings.keep_statistics`)
/// @throws OutputError if the file cannot be written
void saveStatistics(const std::filesystem::path& path, const Identification& identification);

}  // namespace dynid
