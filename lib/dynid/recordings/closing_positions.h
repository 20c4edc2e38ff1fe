#pragma once

#include "dynid/robot/loop_closure.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Share of a log's rows at which loops may stay open: outliers.
inline constexpr double kOpenRows = 0.05;

/// Positions of the driven joints from the recorded columns [joints], which may be on either side
/// of the transmission.
Eigen::VectorXd drivenPosition(const Robot& robot, const Eigen::VectorXd& columns);

/// Closes the loops at q [joints], followed from the position before, or from Robot::assembly where
/// that was not closed or leads nowhere.
void closeNext(const Robot& robot, const Eigen::VectorXd& q, ClosedPosition& position);

/// Whether the loops close at all but kOpenRows of the recorded positions.
/// @param positions  [rows x joints] in the columns of a log; rows with values that are not finite
/// do not count
bool loopsCloseAt(const Robot& robot, const Eigen::MatrixXd& positions);

/// A change of recorded positions.
struct PositionChange {
  enum class Kind {
    kSign,      ///< of the position of one joint
    kExchange,  ///< of the positions of two joints
    kTurn       ///< `angle` is subtracted from the position of one joint
  };
  Kind kind = Kind::kSign;
  std::vector<int> joints;  ///< columns of the log
  double angle = 0.0;       ///< [rad] a quarter of a turn to both sides, or half a turn
};

/// The positions [rows x joints] after the change.
Eigen::MatrixXd changed(const PositionChange& change, const Eigen::MatrixXd& positions);

/// "the position of elbow has the opposite sign".
std::string statementOf(const PositionChange& change, const std::vector<std::string>& names);

/// The single changes with which the loops close (loopsCloseAt) at positions where they do not, and
/// all but kOpenRows of the positions are within the limits of the driven joints.
/// @param positions  [rows x joints] in the columns of a log
std::vector<PositionChange> changesThatClose(const Robot& robot, const Eigen::MatrixXd& positions);

}  // namespace dynid
