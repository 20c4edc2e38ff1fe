#pragma once

#include "dynid/signals/log_correction.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string>

namespace dynid {

/// A log, and the payload that the user states for it.
struct LogInput {
  std::filesystem::path path;  ///< HDF5 log
  /// "link:mass" [kg] as stated by the user, takes precedence over the payload in the log; "": none
  /// stated.
  std::string payload = {};
};

/// Settings for the used part of the recordings and the conditioning of their signals.
struct RecordingSettings {
  double from_s = -std::numeric_limits<double>::infinity();  ///< [s] start of the used log time
  double to_s = std::numeric_limits<double>::infinity();     ///< [s] end of the used log time
  /// [Hz] Low-pass cut-off frequency of motion, regressor rows and efforts; NaN: chosen from the
  /// data.
  double cutoff_hz = std::numeric_limits<double>::quiet_NaN();
  /// The cut-off is that of a model of other logs (SignalOptions::of_other_logs).
  bool cutoff_of_other_logs = false;
  /// How the motion is computed from positions: "filtered" (low-pass filter and central
  /// differences), "spline" (quintic smoothing spline) or "estimated" (together with the
  /// parameters, see estimateMotions; filtered in predictions).
  std::string motion = "filtered";
  /// [rad/s or m/s] Below this speed a joint is at standstill, and its rows are left out of the
  /// fit.
  double still_speed = 0.02;
  int threads = 1;  ///< the result does not depend on it
  /// What is assumed about single logs, by the path under which they are given: their columns are
  /// changed accordingly wherever they are read. Default: nothing is assumed.
  std::map<std::filesystem::path, LogAssumptions> assumptions = {};

  /// The assumptions about one log; empty where there are none.
  LogAssumptions assumptionsOf(const std::filesystem::path& log) const {
    const auto found = assumptions.find(log);
    return found == assumptions.end() ? LogAssumptions{} : found->second;
  }
};

}  // namespace dynid
