#pragma once

#include "dynid/recordings/recording_settings.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace dynid {

class Team;

/// Settings of an identification. Most fields are options of `dynid identify`, for their names see
/// its help; with the same names as here they are keyword arguments of `identify` in Python.
struct IdentificationSettings : RecordingSettings {
  bool robust = true;  ///< down-weight blocks of the log that do not fit (Huber on block residuals)
  double margin = 1e-3;  ///< minimal pseudo-inertia P_k >= margin * prior, see PhysicalFitOptions
  /// Whether the fit prefers parameters near the prior, see PhysicalFitOptions.
  bool second_stage = true;
  /// Largest certified relative gap of a converged fit, see PhysicalFitOptions.
  double gap_tolerance = 1e-8;
  bool force = false;  ///< continue with logs that the audit or the diagnosis refuses
  /// Largest number of consecutive blocks of the logs for cross-validation and covariance, 8 to 64
  /// (at least half of it is used if the logs are long enough). Where the motion of a log repeats,
  /// blocks are divided further, into at most four times as many (planBlocks).
  int blocks = 64;
  Team* team = nullptr;  ///< processes that share the work; nullptr: only this process
  std::vector<std::filesystem::path> statistics;  ///< files of statistics gathered from other logs
  bool keep_statistics = false;                   ///< return the statistics for later use
  std::string equations = "inverse-dynamics";     ///< see equationsOf
  /// Length of the windows of integral equations [s]; NaN: one period of the cut-off.
  double window_s = std::numeric_limits<double>::quiet_NaN();
  /// Whether `assumptions` are what findAssumptions has found: messages then do not advise
  /// `apply_diagnosis`, which is in use.
  bool assumptions_searched = false;

  /// @throws UsageError naming the wrong setting and its value
  void check() const;
};

}  // namespace dynid
