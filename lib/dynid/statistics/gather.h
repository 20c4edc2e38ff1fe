#pragma once

#include "dynid/core/progress.h"
#include "dynid/friction/select_effects.h"
#include "dynid/statistics/recordings.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Parameter values together with their layout.
struct LaidOutParameters {
  ParameterLayout layout;
  Eigen::VectorXd values;
};

/// The same parameters in another layout, matched by column; zero for columns that `from` does not
/// have.
Eigen::VectorXd translated(const LaidOutParameters& from, const ParameterLayout& to);

/// Settings of `gather`.
struct GatherOptions {
  Equations equations;  ///< saved statistics support inverse dynamics only
  WindowPass pass;      ///< selects the windows and threads
  /// For choices that need folds but no covariance: of robots with many columns the blocks are
  /// joined, since their factors would take more time and memory than the rows.
  bool join_blocks = false;
  Eigen::VectorXd drive_gains;  ///< [actuators] effort per recorded current
  /// Model of the transmitted torque for load-dependent friction; nullptr: the columns of such
  /// friction are zero. Saved statistics contain their own model.
  const LaidOutParameters* transmitting = nullptr;
  std::string name;  ///< name of the pass, shown by `progress`
  Progress progress;
};

/// Compressed rows over the candidate columns of a model, and the settings with which they were
/// computed.
struct Regression {
  Equations equations;         ///< whose rows the statistics hold
  CandidateLayout candidates;  ///< friction candidates; their layout ends with the payload columns
  std::vector<Payload> payloads;  ///< with their columns in the layout
  BaseParameters base;            ///< base parameters of the layout
  Eigen::VectorXd transmitting;   ///< [layout] parameters of the model of the transmitted torque
  /// Statistics over `base.independent` and all friction candidates. They need most of the memory;
  /// copies of this struct share them.
  std::shared_ptr<const Statistics> statistics;
  std::vector<LogUse> use;  ///< samples used and left out, per log

  const ParameterLayout& layout() const { return candidates.layout; }
};

/// Statistics recorded by one pass over all columns that may be needed later, so that the logs are
/// not read again.
struct RecordedStatistics {
  PooledStatistics pool;
  Eigen::VectorXd to_effort;  ///< [actuators] factor from the recorded channel to the effort
  std::vector<LogUse> use;
};

/// The logs as the input of a pass over their rows.
/// @param payloads     with their columns in the layout of the rows
/// @param drive_gains  [actuators] effort per recorded current
std::vector<LogRows> logRows(const Recordings& recordings,
                             const std::vector<Payload>& payloads,
                             const Eigen::VectorXd& drive_gains);

/// Builds the layout of all inertial parameters, payloads and effects, without rows.
/// @param effects  per actuator
Regression layOut(const Recordings& recordings,
                  const std::vector<ActuatorEffects>& effects,
                  const GatherOptions& options);

/// Builds the layout of all inertial parameters, payloads and effects, and gathers its rows in one
/// pass over the logs. Saved statistics are added.
/// @param effects   per actuator
/// @param recorded  nullptr: none; otherwise the rows come from there and the logs are not read
Regression gather(const Recordings& recordings,
                  const std::vector<ActuatorEffects>& effects,
                  const GatherOptions& options,
                  const RecordedStatistics* recorded = nullptr);

/// Structurally independent columns that are always fitted, i.e. all but the friction candidates.
std::vector<int> fixedColumns(const Regression& regression);

/// The columns that are fitted for a selection of friction terms, ascending.
std::vector<int> fittedColumns(const Regression& regression, const EffectChoice& choice);

}  // namespace dynid
