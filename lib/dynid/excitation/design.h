#pragma once

#include "dynid/core/progress.h"
#include "dynid/excitation/criterion.h"
#include "dynid/excitation/forecast.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/search.h"
#include "dynid/excitation/space_check.h"
#include "dynid/excitation/space_options.h"
#include "dynid/logs/trajectory_file.h"
#include "dynid/robot/parameter_layout.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Settings for the design of an excitation trajectory.
struct ExcitationOptions {
  double duration_s = 20.0;  ///< [s] of one period, > 0
  int harmonics = 5;         ///< 1 to 50; more harmonics give richer motion and a longer search
  int periods = 1;           ///< number of repetitions of the period, >= 1
  /// [Hz] sample rate of the written samples and of the log that is forecast
  double rate_hz = 100.0;
  /// Optimality criterion; the condition number does not depend on the noise.
  Criterion criterion = Criterion::kCondition;
  /// [N m or N] Standard deviation of the effort noise: one value per actuator, one for all, or
  /// empty: that of the statistics of earlier logs; without these 1 % of the effort limit if every
  /// joint has one, otherwise 1.
  std::vector<double> noise;
  /// False: drive inertias are not sought, whatever the robot description says
  bool drive_inertia = true;
  LimitOptions limits;  ///< limits of the motion beyond those of the robot description
  /// The series itself begins and ends at rest, without lead-in and lead-out; `start` must then be
  /// empty.
  bool from_rest = false;
  /// [rad or m] posture at rest before and after the motion; empty: chosen by the design
  std::vector<double> start;
  /// Statistics of earlier logs (identify --save-statistics), which the new log is to complement.
  std::vector<std::filesystem::path> statistics;
  std::string payload_link;  ///< not empty: a payload at this link is sought and the robot is known
  double payload_mass = 0.0;  ///< [kg] expected mass of that payload, for the efforts; >= 0
  SpaceOptions space;         ///< obstacles and collision settings
  /// Of the random starts; the same seed gives the same design if `search.starts` is set.
  std::uint64_t seed = 1;
  SearchOptions search;  ///< duration and extent of the search

  /// @throws std::invalid_argument with the name of the invalid field
  void check(const Robot& robot) const;
};

/// A designed trajectory, or the reasons why there is none.
struct ExcitationDesign {
  bool feasible = false;  ///< whether a trajectory within all limits was found
  /// If infeasible: what prevents a trajectory and which limit to relax
  std::vector<std::string> reasons;
  std::vector<std::string> notes;  ///< assumptions that were made

  TrajectoryFile trajectory;           ///< valid only if `feasible`
  MotionLimits limits;                 ///< limits that the trajectory meets
  MotionPeaks peaks;                   ///< rigorous bounds, including lead-in and lead-out
  Eigen::VectorXd effort;              ///< largest |effort| on a dense grid; 0 if unknown
  std::shared_ptr<const Space> space;  ///< null: no collision constraints
  /// Closest approach, including lead-in and lead-out; in the time of the trajectory
  Approach approach;
  /// Of the unweighted rows of the periodic part, with the exact sign of the velocity
  double condition_number = 0.0;
  double log_det_per_sample = 0.0;  ///< log det (W^T W / samples) of the same rows
  /// Condition number including the rows of the statistics, which count like samples with the noise
  /// of the new log; NaN without statistics.
  double condition_number_with_statistics = std::numeric_limits<double>::quiet_NaN();
  std::vector<ParameterForecast> forecast;  ///< one entry per sought parameter
  ParameterLayout layout;                   ///< of the parameters that are sought
  ForecastVerdicts verdicts;                ///< expected verdicts, one per parameter of `layout`
  Eigen::VectorXd noise;                    ///< [actuators] effort noise of the forecast [N m or N]
  SearchResult search;                      ///< history of the search
  double seconds = 0.0;                     ///< duration of the design
};

/// Designs a trajectory within the limits: search, rigorous check, lead-in and lead-out, forecast
/// of the accuracy.
/// @throws InputError for statistics that do not fit the robot
ExcitationDesign designExcitation(const std::shared_ptr<const Robot>& robot,
                                  const ExcitationOptions& options,
                                  const Progress& progress = {});

}  // namespace dynid
