#pragma once

#include "dynid/dynamics/projection.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// Motion in the coordinates of a log's columns.
struct ColumnMotion {
  Eigen::MatrixXd q, dq, ddq;  ///< [rows x channels] rad or m, per s, per s^2
};

/// Equations of every channel.
struct ChannelRows {
  std::vector<Eigen::MatrixXd> columns;  ///< [channel] [rows x active columns]; 0 if not used
  /// [rows x channels] 1; 0 where the channel is not fitted because it stands
  Eigen::ArrayXXd used;
};

/// The plain model that the diagnosis fits to each effort channel of a log:
///
///     tau_log = E^T Y(q, dq, ddq) pi + F^T (viscous v + Coulomb tanh(v / eps) + inertia a) +
///     offset
///               + position effects of the description
///
/// q = B q_log + b (B = T where the log is on the actuators' side, else 1); v = T^-1 B dq_log, a
/// likewise, of the actuators. E = T where the efforts are on the actuators' side (as the
/// positions; currents always are), else 1; F = T^-1 E. eps is 2 % of the actuator's 95 % speed.
///
/// A row of a channel is not used while one of the channel's actuators stands (below 12 % of its
/// 95 % speed): friction then holds any part of the effort, which hid late efforts on simulated
/// robots (15 to 31 % of the variance unexplained with all rows, below 2 % without these). With a
/// limit of 5 %, the low-passed start of a motion seemed late by 20 to 60 ms. A channel that moves
/// in less than 4 % of the rows uses all of them.
///
/// All columns, in the order: ten per body; viscous, Coulomb, drive inertia per actuator; offset
/// per channel; position effects.
class ChannelColumns {
 public:
  /// @param efforts_of_drives  LogExcerpt::efforts_of_drives
  explicit ChannelColumns(std::shared_ptr<const Robot> robot, bool efforts_of_drives = false);

  const Robot& robot() const { return *robot_; }
  Eigen::Index channels() const { return B_.rows(); }
  Eigen::Index size() const { return size_; }
  /// Columns that appear in a channel, the inertial ones first.
  const std::vector<Eigen::Index>& active(Eigen::Index channel) const { return active_[channel]; }
  Eigen::Index numInertial() const { return 10 * robot_->numBodies(); }
  /// Inertial columns among active(channel).
  Eigen::Index numActiveInertial(Eigen::Index channel) const {
    return num_active_inertial_[channel];
  }
  /// Columns that passive friction does not make negative: viscous and Coulomb of every actuator.
  std::vector<Eigen::Index> frictionColumns() const;
  Eigen::Index driveInertiaColumn(Eigen::Index actuator) const {
    return numInertial() + 3 * actuator + 2;
  }
  /// B^-1 E [columns of the log x channels]: how the positions of the log move where only the joint
  /// or drive moves whose effort the channel holds.
  const Eigen::MatrixXd& motionOfEffort() const { return motion_of_effort_; }
  /// F [actuators x channels].
  const Eigen::MatrixXd& actuatorShare() const { return F_; }

  /// @throws InputError where a loop of the robot does not close
  ChannelRows rows(const ColumnMotion& motion) const;
  /// Inertial part of the rows of every channel, those at standstill included.
  std::vector<Eigen::MatrixXd> inertialRows(const ColumnMotion& motion) const;

 private:
  struct PositionColumns {
    Eigen::Index joint = 0;
    PositionEffect effect;
    Eigen::Index first_column = 0;
    Eigen::VectorXd share;  ///< [channels]
  };

  Eigen::MatrixXd jointSide(const Eigen::MatrixXd& log) const;
  /// ChannelRows::used
  Eigen::ArrayXXd usedRows(const ColumnMotion& motion) const;
  void addDrives(const ColumnMotion& motion, std::vector<Eigen::MatrixXd>& rows) const;
  void addPositionEffects(const ColumnMotion& motion, std::vector<Eigen::MatrixXd>& rows) const;
  Eigen::Index placeOf(Eigen::Index channel, Eigen::Index column) const {
    return place_(column, channel);
  }

  std::shared_ptr<const Robot> robot_;
  ProjectionRegressor regressor_;
  Eigen::MatrixXd B_, C_, E_, F_;
  Eigen::MatrixXd speed_of_drives_, motion_of_effort_;  ///< T^-1 B, B^-1 E
  Eigen::VectorXd offset_;                              ///< b
  Eigen::Index size_ = 0;
  std::vector<PositionColumns> position_;
  std::vector<std::vector<Eigen::Index>> active_;
  std::vector<Eigen::Index> num_active_inertial_;
  Eigen::MatrixXi place_;  ///< [columns x channels] place in active; -1: not there
};

}  // namespace dynid
