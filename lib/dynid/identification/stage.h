#pragma once

#include "dynid/core/file_digests.h"
#include "dynid/core/progress.h"
#include "dynid/equations/structure.h"
#include "dynid/friction/effect_ladder.h"
#include "dynid/identification/consistent_fit.h"
#include "dynid/identification/settings.h"
#include "dynid/statistics/accumulate.h"
#include "dynid/statistics/gathered_statistics.h"
#include "dynid/statistics/statistics_pool.h"

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// What all stages of one identification share.
struct Run {
  std::shared_ptr<const Robot> robot;
  const IdentificationSettings* settings = nullptr;
  const Progress* progress = nullptr;
  std::vector<LogRun> logs;
  std::shared_ptr<FileDigests> log_digests;  ///< of `logs`
  std::vector<GatheredRun> gathered;    ///< statistics of other logs, their blocks before the logs'
  std::optional<GatheredRun> recorded;  ///< once there, stands for all of them: no more passes
  double block_s = 0.0;
  std::vector<int> block_log;  ///< per block of all of them
  bool load_recorded = false;  ///< the gathered columns of load-dependent friction agree
  std::vector<std::vector<BodySensor>> sensors_of_log;  ///< per log; empty: none is used
  BaseKnowledge base;                                   ///< what the logs say of the base
  PayloadTable payloads;          ///< `of_log` of the logs, not of the gathered ones
  Eigen::VectorXd still_speed;    ///< [actuators] rad/s or m/s
  Eigen::VectorXd typical_speed;  ///< [actuators] root mean square over the looks, rad/s or m/s
  bool scale_known = true;        ///< false: parameters carry one common unknown factor
  bool gains_identified = false;  ///< some drive gains were found from the logs ...
  bool gains_converged = true;    ///< ... and the search settled
  Eigen::VectorXd gain_std_dev;   ///< [actuators] of the gains found; empty: none was

  /// A pass over every window.
  WindowPass everything() const { return {.threads = settings->threads, .team = settings->team}; }
  /// A pass for a choice that more data than this would not change.
  WindowPass look() const {
    return {.threads = settings->threads, .max_rows = kLookRows, .team = settings->team};
  }
  static constexpr std::int64_t kLookRows = std::int64_t{1} << 19;
};

/// One pass over the logs with a set of candidate columns, and the best fit and choice among them.
struct Stage {
  Equations equations;  ///< whose rows the statistics hold
  std::vector<ActuatorEffects> effects;
  CandidateLayout candidates;
  BaseParameters base;
  std::shared_ptr<const Statistics> statistics;  ///< by far the largest part: copies share it
  EffectChoice choice;
  Eigen::VectorXd load_parameters;  ///< [candidate layout] behind load-dependent friction
  Estimate estimate;                ///< over the chosen columns
  ConsistentFit fit;                ///< the physically consistent one, same columns
  Eigen::VectorXd parameters;  ///< in the candidate layout: of the consistent fit (of least squares
                               ///< where that failed)
};

/// The statistics of a stage without anything chosen or fitted yet.
/// @param equations  whose rows are gathered; with gathered statistics inverse dynamics only
Stage gatherStage(Run& run,
                  std::vector<ActuatorEffects> effects,
                  const Stage* before,
                  const WindowPass& pass,
                  const std::string& name,
                  const Equations& equations = {});

/// Parameters of another stage (or of gathered statistics) by column.
Eigen::VectorXd translated(const ParameterLayout& from,
                           const Eigen::VectorXd& parameters,
                           const ParameterLayout& to);

/// Passes over the logs and alternates between the physically consistent fit (given the friction
/// columns) and the friction ladder (given the rigid body): where excitation is poor, least squares
/// alone would fit anything.
///
/// @param before  the stage before, for the transmitted load of load-dependent friction; nullptr:
/// none
/// @param pass  over which windows
Stage runStage(Run& run,
               std::vector<ActuatorEffects> effects,
               const Stage* before,
               const WindowPass& pass,
               const std::string& name,
               const PhysicalFitOptions& options,
               const Equations& equations = {});

/// The columns that a stage's choice fits, ascending.
std::vector<int> fittedColumns(const Stage& stage);

/// The physically consistent fits of a stage's choice that leave out one fold of consecutive blocks
/// each.
struct FoldFits {
  std::vector<int> fold_of_block;
  std::vector<Eigen::VectorXd> parameters;  ///< [folds], in the candidate layout
};
FoldFits fitFolds(const Run& run, const Stage& stage, int folds, const PhysicalFitOptions& options);

}  // namespace dynid
