#pragma once

#include "dynid/core/progress.h"
#include "dynid/friction/select_effects.h"
#include "dynid/statistics/recordings.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Parameters with the layout that they belong to.
struct LaidOutParameters {
  ParameterLayout layout;
  Eigen::VectorXd values;
};

/// The same parameters in another layout, by column; zero for columns that `from` does not have.
Eigen::VectorXd translated(const LaidOutParameters& from, const ParameterLayout& to);

/// How rows are gathered.
struct GatherOptions {
  Equations equations;          ///< with gathered statistics inverse dynamics only
  WindowPass pass;              ///< over which windows
  Eigen::VectorXd drive_gains;  ///< [actuators] effort per recorded current
  /// The model whose transmitted torque stands behind friction in proportion to it; nullptr: such
  /// friction has columns of zero. Gathered statistics bring their own.
  const LaidOutParameters* transmitting = nullptr;
  std::string name;  ///< of the pass, for `progress`
  Progress progress;
};

/// Compressed rows over the candidate columns of a model, with what they were gathered at.
struct Regression {
  Equations equations;            ///< whose rows the statistics hold
  CandidateLayout candidates;     ///< friction; its layout ends with the columns of the payloads
  std::vector<Payload> payloads;  ///< with their places in the layout
  BaseParameters base;            ///< of the layout
  Eigen::VectorXd transmitting;   ///< [layout] parameters behind the transmitted torque
  /// Over `base.independent` and all candidates of friction. By far the largest part: copies share
  /// it.
  std::shared_ptr<const Statistics> statistics;
  std::vector<LogUse> use;  ///< what became of each log's samples

  const ParameterLayout& layout() const { return candidates.layout; }
};

/// Statistics that one pass has recorded over all columns that may be asked for later, so that the
/// logs need not be read again.
struct RecordedStatistics {
  PooledStatistics pool;
  Eigen::VectorXd to_effort;  ///< [actuators] times the recorded channel is the effort
  std::vector<LogUse> use;
};

/// The logs as a pass over their rows sees them.
/// @param payloads     with their places in the layout of the rows
/// @param drive_gains  [actuators] effort per recorded current
std::vector<LogRows> logRows(const Recordings& recordings,
                             const std::vector<Payload>& payloads,
                             const Eigen::VectorXd& drive_gains);

/// Columns of all inertial parameters, payloads and effects, and their rows from one pass over the
/// logs, added to those of gathered statistics.
/// @param recorded  nullptr: none; else rows come from there, without a pass over the logs
Regression gather(const Recordings& recordings,
                  const std::vector<ActuatorEffects>& effects,
                  const GatherOptions& options,
                  const RecordedStatistics* recorded = nullptr);

/// Structurally independent columns that are always fitted: all but the candidates of friction.
std::vector<int> fixedColumns(const Regression& regression);

/// The columns that a choice of friction fits, ascending.
std::vector<int> fittedColumns(const Regression& regression, const EffectChoice& choice);

}  // namespace dynid
