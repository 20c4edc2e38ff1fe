#pragma once

#include "dynid/logs/trajectory_file.h"
#include "dynid/model/model.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

class Space;

/// Limits of a trajectory, one entry per joint. Jerk and effort are infinite if not limited; all
/// others are finite.
struct MotionLimits {
  /// lower, upper: position [rad or m]; velocity, acceleration, jerk [per s, s^2, s^3]; effort [N m
  /// or N].
  Eigen::VectorXd lower, upper, velocity, acceleration, jerk, effort;
  std::vector<std::string> notes;  ///< assumptions that were made, one sentence each

  /// Centre and half width of the position ranges.
  Eigen::VectorXd middle() const { return 0.5 * (lower + upper); }
  Eigen::VectorXd half() const { return 0.5 * (upper - lower); }
};

/// Largest values of a trajectory: bounds that hold at all times, not only on a grid.
struct MotionPeaks {
  Eigen::VectorXd lower, upper;                  ///< of the position
  Eigen::VectorXd velocity, acceleration, jerk;  ///< of the absolute value
};

/// Result of a collision check.
struct Approach {
  bool clear = true;      ///< all gaps are above the clearance at all times, not only at samples
  double gap = INFINITY;  ///< [m] the smallest gap found
  int which = -1;         ///< index of this gap in the Space
  double time_s = 0.0;    ///< time of the smallest gap
};

/// Expected accuracy of a parameter identified from a log of the trajectory.
struct ParameterForecast {
  std::string name;        ///< column of the base parameter, as in a model
  std::string expression;  ///< as a combination of standard parameters
  std::string unit;
  double std_dev = 0.0;  ///< infinite if it cannot be distinguished from other parameters
  /// Standard deviation from earlier statistics only.
  double std_dev_before = std::numeric_limits<double>::infinity();
  /// Estimate from the statistics, otherwise the value according to the description; NaN if
  /// unknown.
  double expected = std::numeric_limits<double>::quiet_NaN();
};

/// Expected verdicts of `identify` on every parameter of the sought layout.
struct ForecastVerdicts {
  std::vector<ParameterVerdict> verdicts;  ///< [layout] by the rule of `identify`
  /// [layout] False: no value is known beforehand; `excitation` then only states whether the motion
  /// excites the parameter.
  std::vector<bool> judged;
};

/// A trajectory within the limits of position, velocity, acceleration and jerk, and its score: the
/// criterion with the exact sign of the velocity and exact eigenvalues on a dense grid. Smaller is
/// better.
struct Candidate {
  Eigen::MatrixXd X;        ///< Fourier coefficients, see FourierBasis
  double score = INFINITY;  ///< infinite if `excess` is positive or M is singular
  /// Violation of the collision and effort constraints: 10/m times the missing clearance, plus the
  /// fraction by which the largest effort exceeds its limit. 0: all constraints are met.
  double excess = INFINITY;
};

/// An improvement of the best trajectory, for the record.
struct SearchStep {
  static constexpr int kNoChain = -1;
  double seconds = 0.0;  ///< since the start of the search
  int chain = 0;  ///< index of the chain that found it; kNoChain: the best of the random motions
  double score = 0.0;  ///< value of the criterion; smaller is better
};

/// Result of searchTrajectory.
struct SearchResult {
  Candidate best;     ///< its score is infinite if no usable trajectory was found
  Candidate nearest;  ///< trajectory of infinite score with the smallest excess; X empty: none
  int finished_chains = 0;        ///< chains that ran to their end
  std::vector<SearchStep> steps;  ///< improvements of the best trajectory
  int interrupted_by = 0;         ///< signal that ended the search early; 0: none
  /// The best score of twenty random motions within the limits of position, velocity, acceleration
  /// and jerk, without regard to efforts and obstacles. A designed motion that is worse is poor.
  /// The best of these motions that meets all limits is the first of `steps`.
  double reference = INFINITY;
  int abandoned_chains = 0;  ///< ended because they were poor and did not improve any more
  int lost_processes = 0;    ///< ended by a crash or by the system; their chains are missing

  /// Whether the best trajectory is worse than the random motions of `reference`.
  bool poor() const { return !(best.score <= reference); }
  /// Whether the best trajectory is one of these random motions, no chain having improved on it.
  bool random() const { return !steps.empty() && steps.back().chain == SearchStep::kNoChain; }
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
  /// Pairs of links, and links with obstacles, that `space` leaves out: their names
  std::vector<std::string> not_checked;
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

  /// Condition number of all rows that are known: with those of the statistics, where given.
  double wholeConditionNumber() const {
    return std::isnan(condition_number_with_statistics) ? condition_number
                                                        : condition_number_with_statistics;
  }
  /// Whether these rows leave parameters undetermined: above 6e7 (the reciprocal of the square root
  /// of the double-precision rounding unit) W^T W cannot be told from a singular matrix; or if the
  /// forecast of one is infinite.
  bool singular() const {
    const auto unknown = [](const ParameterForecast& f) { return !std::isfinite(f.std_dev); };
    return !(wholeConditionNumber() < 6e7) || std::ranges::any_of(forecast, unknown);
  }
  /// Whether the motion leaves parameters undetermined or is worse than random motions.
  bool poor() const { return singular() || search.poor(); }
};

}  // namespace dynid
