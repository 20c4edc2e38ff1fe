#pragma once

#include "dynid/equations/equations.h"
#include "dynid/equations/rows.h"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace dynid {

/// The motion as the variational form uses it, from positions only. The velocities, which only
/// friction needs, are central differences over two samples.
/// @param step  [s] between samples
ActuatorSignals fromPositions(const ActuatorSignals& signals, double step);

/// Converts regressor rows of inverse dynamics to rows of the chosen equations, channel by channel.
/// The integral forms use means and slopes over a window of length D around every sample:
///
///     power        d(K + V)/dt = sum_a dq_a (tau_a - effects_a)                          [W]
///     energy       [(K + V)(t1) - (K + V)(t0)] / D = mean(sum_a dq_a (tau_a - effects_a)) [W]
///     momentum     [p_a(t1) - p_a(t0)] / D - mean(dL/dq_a) = mean(tau_a - effects_a)   [N m, N]
///     variational  -[D2 L_d(q0, q1) + D1 L_d(q1, q2)] / h = tau_a - effects_a          [N m, N]
///
/// p = T^T dK/d dq, with the transmission T. The drive inertia I_m adds I_m dq_a to p and I_m
/// dq_a^2 / 2 to K. Power and energy have one channel for the whole robot, the others one per
/// actuator.
class EquationRows {
 public:
  /// @param rows  builder of the rows of inverse dynamics
  EquationRows(std::shared_ptr<const Robot> robot, RowBuilder rows, Equations equations);

  const Equations& equations() const { return equations_; }
  RowBuilder& inverseDynamics() { return rows_; }
  /// Number of effort channels.
  int numChannels() const { return static_cast<int>(columns_.size()); }
  /// Columns of a channel's rows, ascending.
  const std::vector<int>& columns(int channel) const { return columns_[channel]; }
  const ParameterLayout& layout() const { return rows_.layout(); }
  /// Whether a sample is a moving row of the channel: its joint moves, or any joint if the channel
  /// belongs to the whole robot.
  bool moves(const ActuatorSignals& signals, Eigen::Index sample, int channel) const;

  /// Replaces rows and efforts of inverse dynamics by those of the equations.
  /// @param signals  consecutive samples (variational: result of fromPositions), `step` apart
  ///     within a segment
  /// @param payload  nullptr: none
  /// @param step     [s]
  /// @param window   [s] length of the integration window
  /// @param rows     in: rows of inverse dynamics at these samples, one matrix per actuator; out:
  ///     one matrix per channel
  /// @param efforts  in: [samples x actuators] N m or N; out: [samples x channels]
  void transform(const ActuatorSignals& signals,
                 const PayloadPlacement* payload,
                 double step,
                 double window,
                 std::vector<Eigen::MatrixXd>& rows,
                 Eigen::MatrixXd& efforts) const;

  /// An independent copy for another thread.
  EquationRows clone() const { return {robot_, rows_.clone(), equations_}; }

 private:
  // The arguments of transform.
  struct Task {
    const ActuatorSignals& signals;
    const PayloadPlacement* payload;
    double step, window;
  };
  void toPower(const Task& task,
               std::vector<Eigen::MatrixXd>& rows,
               Eigen::MatrixXd& efforts) const;
  void toEnergy(const Task& task,
                std::vector<Eigen::MatrixXd>& rows,
                Eigen::MatrixXd& efforts) const;
  void toMomentum(const Task& task,
                  std::vector<Eigen::MatrixXd>& rows,
                  Eigen::MatrixXd& efforts) const;
  void toVariational(const Task& task,
                     std::vector<Eigen::MatrixXd>& rows,
                     Eigen::MatrixXd& efforts) const;
  /// Positions of the drive inertias among a channel's columns, and the actuators to which they
  /// belong.
  std::vector<std::pair<Eigen::Index, int>> driveInertias(int channel) const;

  std::shared_ptr<const Robot> robot_;
  RowBuilder rows_;
  Equations equations_;
  std::vector<std::vector<int>> columns_;  // per channel
};

}  // namespace dynid
