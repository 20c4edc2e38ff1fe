#pragma once

#include "dynid/core/progress.h"
#include "dynid/excitation/forecast.h"
#include "dynid/excitation/leads.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/search.h"
#include "dynid/excitation/space_check.h"
#include "dynid/logs/trajectory_file.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// How an excitation trajectory is designed.
struct ExcitationOptions {
  double duration_s = 20.0;  ///< [s] of one period, > 0
  int harmonics = 5;         ///< 1 ... 50; more: richer motion, longer search
  int periods = 1;           ///< how often the period is repeated, >= 1
  double rate_hz = 100.0;    ///< [Hz] samples written, and those of the log that is forecast
  Criterion criterion = Criterion::kCondition;
  /// [N m or N] effort noise: one value an actuator, one for all, or empty: what the statistics
  /// found; without these 1 % of the effort limit where every joint has one, else 1.
  std::vector<double> noise;
  bool drive_inertia = true;  ///< false: leave drive inertias out, whatever the description says
  LimitOptions limits;
  /// The series itself begins and ends at rest, without lead-in and lead-out; `start` is then free.
  bool from_rest = false;
  std::vector<double> start;  ///< [rad or m] posture at rest before and after; empty: free
  /// Statistics of earlier logs (identify --save-statistics): the motion is to add to them.
  std::vector<std::filesystem::path> statistics;
  std::string payload_link;   ///< not empty: a load at this link is sought, the robot is known
  double payload_mass = 0.0;  ///< [kg] expected there, for the efforts; >= 0
  SpaceOptions space;         ///< what to keep clear of
  std::uint64_t seed = 1;
  SearchOptions search;

  /// @throws std::invalid_argument naming the bad field.
  void check(const Robot& robot) const;
};

/// A designed trajectory, or why there is none.
struct ExcitationDesign {
  bool feasible = false;
  std::vector<std::string> reasons;  ///< where infeasible: what speaks against it, what to relax
  std::vector<std::string> notes;    ///< what was assumed

  TrajectoryFile trajectory;
  MotionLimits limits;
  MotionPeaks peaks;                   ///< rigorous, ends included
  Eigen::VectorXd effort;              ///< largest |effort| on a dense grid; 0 where unknown
  std::shared_ptr<const Space> space;  ///< null: nothing to keep clear of
  Approach approach;                   ///< the closest, ends included; times of the trajectory
  double condition_number = 0.0;       ///< of the periodic part's unweighted rows, hard signs
  double log_det_per_sample = 0.0;     ///< log det (W^T W / samples) of the same rows
  /// The condition number together with the rows of the statistics, which count as samples of the
  /// new log's noise do; NaN without statistics.
  double condition_number_with_statistics = std::numeric_limits<double>::quiet_NaN();
  std::vector<ParameterForecast> forecast;
  SoughtParameters sought;    ///< that the forecast is of
  ForecastVerdicts verdicts;  ///< expected, per parameter of the sought layout
  Eigen::VectorXd noise;      ///< [actuators] that the forecast is for
  SearchResult search;
  double seconds = 0.0;
};

/// Designs a trajectory within the limits: search, rigorous check, lead-in and lead-out, forecast.
/// @throws InputError for statistics that do not fit
ExcitationDesign designExcitation(const std::shared_ptr<const Robot>& robot,
                                  const ExcitationOptions& options,
                                  const Progress& progress = {});

}  // namespace dynid
