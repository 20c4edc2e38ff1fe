#pragma once

#include "dynid/equations/payloads.h"
#include "dynid/recordings/recording_settings.h"
#include "dynid/regression/statistics.h"
#include "dynid/robot/parameter_layout.h"

#include <Eigen/Core>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// One log of saved statistics: its file and the numbers of its samples.
struct GatheredLog {
  std::string file, sha256, notes;
  /// Rows of the log, rows in the fit, rows left out
  double samples = 0.0, used = 0.0, dropped = 0.0;
  double cutoff_hz = 0.0;  ///< [Hz] low-pass of the log
  int payload = -1;        ///< index of its payload; -1: none
  /// Rows of the file that were used, [first_row, end_row); both 0: not known
  double first_row = 0.0, end_row = 0.0;
};

/// The compressed regression of some logs as it is saved to a file. It contains everything needed
/// to fit parameters, to select friction terms among the recorded columns, and to add other logs,
/// without reading the logs again.
struct GatheredStatistics {
  std::string robot_name, robot_sha256;               ///< name and digest of the robot description
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2] in the root link's frame
  ParameterLayout layout;                             ///< of the columns
  /// The last column is the channel as recorded: A if `currents`, otherwise N m or N on the
  /// actuator side.
  Statistics statistics;
  bool currents = false;
  double block_s = 0.0;  ///< [s] length of the blocks
  /// [s] Durations of the stretches of log, one per log, or one for several logs that share a
  /// block. Each is divided into max(1, floor(duration / block_s)) blocks.
  std::vector<double> stretch_durations;
  /// [s] Per stretch: period after which the motion repeats; 0 if it does not repeat.
  std::vector<double> stretch_periods;
  /// [actuators] speed below which Coulomb friction is a linear ramp [rad/s or m/s]
  Eigen::VectorXd still_speed;
  Eigen::VectorXd typical_speed;  ///< [actuators] rad/s or m/s
  /// [layout] model of the transmitted torque of load-dependent friction
  Eigen::VectorXd transmitting_parameters;
  /// [actuators] cut-off frequencies that predictions use
  Eigen::VectorXd rigid_cutoff_hz, friction_cutoff_hz;
  int filter_order = 4;          ///< of one pass of the low-pass
  Eigen::VectorXd effort_delay;  ///< [actuators] s, removed from the efforts; empty: none
  bool spline_motion = false;    ///< the motion is made by splines (MotionModel::kSpline)
  /// [rad/s or m/s] Smallest speed that counts as moving (RecordingSettings::still_speed)
  double least_moving_speed = RecordingSettings().still_speed;
  std::vector<Payload> payloads;  ///< of the logs
  std::vector<GatheredLog> logs;
};

/// Number of blocks of this length in a stretch; the last one includes the remainder.
int blocksOf(double duration, double block_s);

/// Division of several stretches of log into blocks of equal length.
struct BlockPlan {
  double block_s = 0.0;
  std::vector<int> first, count;  ///< per stretch: index of the first block, number of blocks
  int blocks = 0;
};

/// Chooses the block length: the shortest power of two of a second (1/2, 1, 2 s, ...) that is at
/// least `at_least_s` and gives at most `blocks` blocks. The last block of a stretch includes the
/// remainder, and a stretch shorter than a block is one block. If there are more stretches than
/// blocks, neighbouring stretches share a block. A block of twice the length consists of two
/// blocks, so statistics gathered separately can be merged as if they had been gathered together.
///
/// @param piece_s  [s] length of the pieces of a repeated motion that the covariance needs: blocks
///     are halved down to it as long as there are at most four times `blocks`
BlockPlan planBlocks(const std::vector<double>& durations,
                     int blocks,
                     double at_least_s = 0.0,
                     double piece_s = std::numeric_limits<double>::infinity());

/// Whether both columns have the same values for the same motion, i.e. agree in everything but
/// their name.
bool sameColumn(const Column& x, const Column& y);

/// Whether some log of the statistics has no payload.
bool someLogWithoutPayload(const GatheredStatistics& gathered);

/// Whether both contain the same columns of rows of the same kind and no payloads, so that their
/// factors can be merged directly. The models of the transmitted torque (transmitting_parameters)
/// are not compared here.
bool sameRecording(const GatheredStatistics& a, const GatheredStatistics& b);

/// Merges the factors into `sum`; both are of the same recording (see sameRecording).
/// @param first  per stretch: its first block in `sum`
/// @param count  per stretch: its number of blocks in `sum`
void addFactors(const GatheredStatistics& gathered,
                const std::vector<int>& first,
                const std::vector<int>& count,
                Statistics& sum);

/// Saved statistics expressed in another layout.
class StatisticsView {
 public:
  /// @param robot  the robot to which both belong
  StatisticsView(const std::shared_ptr<const Robot>& robot, const GatheredStatistics& gathered);

  /// Name of a recorded inertial column that is not a base parameter of this robot: the file was
  /// recorded when other columns were chosen. Empty if there is none.
  std::string columnOfAnotherBase() const;

  /// Whether the columns are base parameters of this robot only if its base moves.
  bool baseMoves() const { return base_moves_; }

  /// Whether this column can be obtained: it was recorded, is a combination of recorded columns, or
  /// is zero in all logs (the payload of another log).
  /// @param still_speed  [actuators] ramp speed of the layout that asks for the column
  bool has(const Column& column, const Eigen::VectorXd& still_speed) const;

  /// Adds the factors to `sum`, over the columns of `layout` that each channel of `sum` lists.
  /// @param to_effort  [actuators] factor of the recorded channel
  /// @param first, count  as in addFactors
  void addTo(Statistics& sum,
             const ParameterLayout& layout,
             const Eigen::VectorXd& to_effort,
             const std::vector<int>& first,
             const std::vector<int>& count) const;

 private:
  /// The matrix [recorded columns of the channel + 1, wanted + 1] such that wanted
  /// rows = recorded rows * matrix.
  Eigen::MatrixXd mapOf(const ChannelStatistics& recorded,
                        const std::vector<int>& columns,
                        const ParameterLayout& layout) const;
  int find(const Column& column) const;

  const GatheredStatistics& gathered_;
  std::vector<int> independent_;  // of the recorded layout
  Eigen::MatrixXd combination_;   // [independent x columns of the layout]
  bool base_moves_ = false;
};

}  // namespace dynid
