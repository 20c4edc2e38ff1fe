#pragma once

#include "dynid/diagnosis/log_excerpt.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

class ChannelColumns;
struct ChannelRows;
struct ColumnMotion;

/// Statistics of the motion under one hypothesis: per fold and channel the Gram matrix of the rows,
/// and inequalities that hold for the parameters of every real robot.
struct MotionStatistics {
  std::vector<std::vector<Eigen::MatrixXd>> gram;  ///< [fold][channel], active columns
  std::vector<Eigen::MatrixXd> total_gram;         ///< [channel] sum over the folds
  /// C pi >= 0: viscous and Coulomb friction of every actuator; M_cc(q) at six postures.
  Eigen::MatrixXd constraints;
  std::vector<Eigen::MatrixXd> gravity_rows;  ///< [channel] about 60 postures, inertial columns
  Eigen::MatrixXd rod_gravity;                ///< [postures x channels] of uniformRods, no mean
  /// [postures x channels] of the description's inertials, no mean; empty where a body has none.
  Eigen::MatrixXd prior_gravity;
  Eigen::VectorXd rod_rms;  ///< [channels] torque of uniformRods in this motion
  /// [channels] 1; 0 for a joint that rests (90 % of its positions within 0.005 rad or m): stiction
  /// then carries an unknown part of the gravity torque, so that its effort cannot be modelled.
  Eigen::ArrayXd moves;
};

/// Statistics of the efforts: products of every channel's rows with the efforts of all channels, so
/// that exchanged, reversed and scaled efforts need no further pass. Only the rows that a channel
/// uses count (ChannelRows::used).
struct EffortStatistics {
  std::vector<std::vector<Eigen::MatrixXd>> moments;  ///< [fold][channel] rows^T efforts
  /// [fold] [channels x efforts] squares of the efforts, summed over the rows of a channel
  std::vector<Eigen::MatrixXd> power;
  Eigen::MatrixXd variance;  ///< [channels x efforts] about the mean
  Eigen::VectorXd rows;      ///< [channels] used
};

/// @param weightless  the same robot without gravity
MotionStatistics motionStatistics(const ChannelColumns& columns,
                                  const ChannelColumns& weightless,
                                  const ColumnMotion& motion,
                                  const ChannelRows& rows,
                                  const std::vector<int>& fold);

/// Products of one channel's rows with efforts, as in EffortStatistics.
struct ChannelProducts {
  std::vector<Eigen::MatrixXd> moments;  ///< [fold] rows^T efforts
  Eigen::MatrixXd power;                 ///< [fold x efforts]
  Eigen::RowVectorXd variance;           ///< [efforts] about the mean
};
ChannelProducts channelProducts(const ChannelRows& rows,
                                Eigen::Index channel,
                                const Eigen::MatrixXd& efforts,
                                const std::vector<int>& fold);

/// Statistics of efforts that are all zero, with a variance of 1.
EffortStatistics noEfforts(const ChannelRows& rows);

EffortStatistics effortStatistics(const ChannelRows& rows,
                                  const Eigen::MatrixXd& effort,
                                  const std::vector<int>& fold);

}  // namespace dynid
