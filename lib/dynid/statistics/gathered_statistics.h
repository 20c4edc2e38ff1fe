#pragma once

#include "dynid/equations/payloads.h"
#include "dynid/regression/statistics.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// What became of one log in gathered statistics.
struct GatheredLog {
  std::string file, sha256, notes;
  double samples = 0.0, used = 0.0, dropped = 0.0;
  double cutoff_hz = 0.0;
  int payload = -1;  ///< index, -1 without
};

/// The compressed regression of some logs, with everything that is needed to fit, to choose
/// friction among the recorded columns, and to add other logs, without the logs themselves.
struct GatheredStatistics {
  std::string robot_name, robot_sha256;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  ParameterLayout layout;
  /// Last column: the channel as recorded, A where `currents`, else N m or N on the actuator side.
  Statistics statistics;
  bool currents = false;
  double block_s = 0.0;  ///< length of the blocks
  std::vector<double>
      stretch_durations;            ///< [s] each cut into max(1, floor(duration / block_s))
                                    ///< blocks; one per log, or one for logs that share a block
  Eigen::VectorXd still_speed;      ///< [actuators] ramp of Coulomb friction
  Eigen::VectorXd typical_speed;    ///< [actuators]
  Eigen::VectorXd load_parameters;  ///< [layout] model of the transmitted torque behind friction
  Eigen::VectorXd rigid_cutoff_hz, friction_cutoff_hz;  ///< [actuators] of predictions
  int filter_order = 4;
  std::vector<Payload> payloads;
  std::vector<GatheredLog> logs;
};

/// Blocks of this length in a stretch; the last one takes what is left over.
int blocksOf(double duration, double block_s);

/// Blocks of one length over stretches of log.
struct BlockPlan {
  double block_s = 0.0;
  std::vector<int> first, count;  ///< per stretch
  int blocks = 0;
};

/// The shortest length of ..., 1/2, 1, 2, ... s, not below `at_least_s`, that makes at most
/// `blocks` blocks; the last block of a stretch takes what is left over, a stretch shorter than a
/// block is one, and where there are more stretches than blocks neighbours share one. Blocks of
/// twice the length are pairs of blocks, so statistics gathered apart merge as if they had been
/// gathered together.
BlockPlan planBlocks(const std::vector<double>& durations, int blocks, double at_least_s = 0.0);

/// Whether both columns hold the same numbers for the same motion: everything but the name.
bool sameColumn(const Column& x, const Column& y);

bool someLogWithoutPayload(const GatheredStatistics& gathered);

/// Whether both hold the same columns of rows of the same kind, without payloads, so that their
/// factors add up as they are. (Load-dependent friction is for the reader to compare:
/// load_parameters.)
bool sameRecording(const GatheredStatistics& a, const GatheredStatistics& b);

/// Adds the factors of the same recording to `sum`.
/// @param first  first block in `sum` of every stretch
/// @param count  its blocks in `sum`
void addFactors(const GatheredStatistics& gathered,
                const std::vector<int>& first,
                const std::vector<int>& count,
                Statistics& sum);

/// Gathered statistics as seen from another layout.
class StatisticsView {
 public:
  /// @param robot  the robot of both
  StatisticsView(const std::shared_ptr<const Robot>& robot, const GatheredStatistics& gathered);

  /// Whether this column can be had: recorded, or a combination of recorded ones, or zero in all
  /// logs (another log's payload).
  /// @param still_speed      the reader's, [actuators]
  /// @param load_parameters  [gathered layout] the reader's; another torque makes other columns
  bool has(const Column& column, const Eigen::VectorXd& still_speed) const;

  /// The factors over `columns` of `layout`, efforts times `to_effort`, added to `sum`.
  /// @param columns  per channel, of `layout`
  /// @param first, count  as addFactors
  void addTo(Statistics& sum,
             const ParameterLayout& layout,
             const Eigen::VectorXd& to_effort,
             const std::vector<int>& first,
             const std::vector<int>& count) const;

 private:
  /// [recorded columns of the channel + 1, wanted + 1] so that wanted rows = recorded rows * map.
  Eigen::MatrixXd mapOf(const ChannelStatistics& recorded,
                        const std::vector<int>& columns,
                        const ParameterLayout& layout) const;
  int find(const Column& column) const;

  const GatheredStatistics& gathered_;
  std::vector<int> independent_;  // of the recorded layout
  Eigen::MatrixXd combination_;   // [independent x layout]
};

}  // namespace dynid
