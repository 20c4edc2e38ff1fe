#pragma once

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

namespace dynid {

/// A log and what the user says about it.
struct LogInput {
  std::filesystem::path path;
  std::string payload;  ///< "link:mass" [kg] given on the command line; overrides the log's own; ""
                        ///< for none
};

/// Which part of the recordings is used, and how their signals are conditioned.
struct RecordingSettings {
  double from_s = -std::numeric_limits<double>::infinity();  ///< use log time from here [s]
  double to_s = std::numeric_limits<double>::infinity();     ///< up to here [s]
  /// Low-pass cut-off [Hz] of motion, regressor rows and efforts; NaN: chosen from the data.
  double cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  /// A cut-off that a log's rate does not allow is lowered instead of refused (set for
  /// predictions).
  bool lower_cutoff_to_rate = false;
  /// How motion is made from positions: "filtered" (low-pass and central differences) or "spline"
  /// (least-squares quintic spline).
  std::string motion = "filtered";
  /// Below this speed [rad/s or m/s] a joint stands still and its rows are left out of the fit.
  double still_speed = 0.02;
};

}  // namespace dynid
