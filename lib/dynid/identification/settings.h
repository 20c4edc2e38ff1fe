#pragma once

#include "dynid/recordings/recording_settings.h"
#include "dynid/recordings/team.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace dynid {

/// How to identify. Every field is an option of `dynid identify` with the same name.
struct IdentificationSettings : RecordingSettings {
  bool robust = true;  ///< down-weight blocks of the log that do not fit (Huber on block residuals)
  double margin = 1e-3;  ///< P_k >= margin * prior; see PhysicalFitOptions
  bool second_stage = true;
  double gap_tolerance = 1e-8;
  bool force = false;  ///< go on where the audit would refuse
  /// At most so many consecutive blocks of the logs for cross-validation and covariance, 8 to 64
  /// (more than half of it where the logs are long enough).
  int blocks = 64;
  int threads = 1;       ///< the result does not depend on it
  Team* team = nullptr;  ///< processes that share the work; nullptr: this one alone
  std::vector<std::filesystem::path> statistics;  ///< gathered from other logs before
  bool keep_statistics = false;                   ///< gather them for later use
  std::string equations = "inverse-dynamics";     ///< see equationsOf
  /// Length of the windows of integral equations [s]; NaN: one period of the cut-off.
  double window_s = std::numeric_limits<double>::quiet_NaN();

  /// @throws UsageError naming the bad option and its value.
  void check() const;
};

}  // namespace dynid
