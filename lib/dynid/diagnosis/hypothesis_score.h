#pragma once

#include "dynid/diagnosis/channel_columns.h"
#include "dynid/diagnosis/fold_statistics.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Channel c of the robot is taken to be factor(c) times channel source(c) of the log.
struct EffortAssignment {
  std::vector<Eigen::Index> source;
  Eigen::VectorXd factor;
};
EffortAssignment asLogged(Eigen::Index channels);

/// How well a hypothesis explains the efforts.
struct HypothesisScore {
  /// J = sum over channels of joints that move of log max(unexplained, 0.003).
  double objective = 0.0;
  /// [channels] cross-validated residual over the effort's variance; 0 for a joint at rest, whose
  /// effort is not fitted
  Eigen::VectorXd unexplained;
  /// [folds x channels] the same of each fold, over the variance of the whole channel; 1 for joints
  /// that rest
  Eigen::MatrixXd unexplained_in_fold;
  /// P = 1/2 sum log max(1 - r^2, 0.1) <= 0 with the correlation r of the fitted gravity torque and
  /// that of uniform rods (0 if it is negative), over the channels of joints that move in which
  /// gravity is more than a quarter of the effort.
  double gravity_prior = 0.0;
  Eigen::VectorXd gravity_share;        ///< [channels] fitted gravity torque over effort, std. dev.
  Eigen::VectorXd gravity_correlation;  ///< [channels] of fitted and rods' gravity torque
  Eigen::VectorXd gravity_slope;        ///< [channels] fitted over rods'
  /// [channels] the same against the description's inertials; 0 where it has none
  Eigen::VectorXd prior_correlation, prior_slope;
  Eigen::VectorXd rigid_ratio;  ///< [channels] rms effort over rms torque of the rods
  Eigen::VectorXd parameters;   ///< [columns]
};

/// The least objective [nat] that any hypothesis can have.
double smallestObjective(Eigen::Index channels);

/// In how many folds `better` leaves less than `worse`, by at least a quarter of what it gains over
/// all of them or by 1.5 nat; by 0.6 nat where `better` explains every joint.
/// @param floor  shares of the variance below this count as equally well explained
int foldsThatGain(const HypothesisScore& worse,
                  const HypothesisScore& better,
                  double floor = kLeastUnexplained);

/// Whether the efforts are torques, or currents whose drive gains are unknown (gains are then
/// estimated in turn with the parameters, positive, starting from the torques of uniform rods).
enum class EffortScale { kKnown, kUnknown };

inline constexpr int kFewRounds = 8, kMostRounds = 200;

/// Fits the plain model by iteratively weighted least squares over the channels (weights
/// 1 / (variance max(unexplained, 0.003))), friction and diagonal inertias not negative, and scores
/// it by five-fold cross-validation.
/// @param constrained  false: without the inequalities; cheaper, and the objective hardly larger
/// @param gain_rounds  at most, of gains and parameters in turn. Few rounds rank hypotheses; they
///     leave more than the right gains do (3 % of an effort in place of 0.005 % in simulated logs)
HypothesisScore scoreHypothesis(const ChannelColumns& columns,
                                const MotionStatistics& motion,
                                const EffortStatistics& effort,
                                const EffortAssignment& assignment,
                                EffortScale scale,
                                bool constrained = true,
                                int gain_rounds = kFewRounds);

/// log max(unexplained, 0.003) of every channel's equations [rows] fitted to every effort of the
/// log [columns] by themselves, without inequalities.
Eigen::MatrixXd separateScores(const ChannelColumns& columns,
                               const MotionStatistics& motion,
                               const EffortStatistics& effort);

}  // namespace dynid
